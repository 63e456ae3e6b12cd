# cmake -DSOURCE=folder -DOUTPUT=commit.h -P commit.cmake: the commit that is being built, for reports of runs.
# Runs in every build; touches the header only where the commit has changed.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SINEW_COMMIT \"@commit@\"\n" @ONLY)
