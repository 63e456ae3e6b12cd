"""What the headers of the C interface declare, and what their comments say in the fixed words that base.h names."""
import os
import re

STRUCT = re.compile(r"^typedef struct Sinew(\w+) \{\n(.*?)^\} Sinew\1;", re.MULTILINE | re.DOTALL)
PROTOTYPE = re.compile(r"((?:^///[^\n]*\n)*)^SINEW_C_API\s+(\w+)\s+sinew_(\w+)\((.*?)\);", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"^enum \{(.*?)\}", re.MULTILINE | re.DOTALL)
DECLARATOR = re.compile(r"(?:(\w+)(?:\[\d+\])*|\(\*(\w+)\)\([^)]*\))\s*(?=[,;])")
MAY_BE_NULL = re.compile(r"\b(null|optional)\b", re.IGNORECASE)
CONSTANTS = re.compile(r"SINEW_[A-Z0-9_]+(?:\.\.\.)?(?:(?:, | or | and )SINEW_[A-Z0-9_]+)*")
RANGE = re.compile(r"(?<![.\d])\d+ to (\d+)\b")


class Parameter:
    def __init__(self, text, comment):
        self.type, self.name, self.is_array = re.fullmatch(r"\s*(.*?[\s*])(\w+)(\[\d+\])?\s*", text, re.DOTALL).groups()
        self.is_array = bool(self.is_array)
        self.is_const, self.is_output = self.type.startswith("const "), "**" in self.type
        self.is_output |= "*" in self.type and not self.is_const
        self.may_be_null = f"`{self.name}` may be NULL" in comment
        self.says_no_such = f"no such `{self.name}`" in comment
        demands = re.search(rf"`{self.name}` must (?:not )?be [^.;(]*", comment)
        self.demands = demands[0] if demands else ""
        constants = re.search(rf"`{self.name}` is one of ({CONSTANTS.pattern})", comment)
        self.constants = constants[1] if constants else ""
        self.largest = None


class Field:
    """`above`: the comment on lines of its own above, which speaks of all fields up to the next one."""
    def __init__(self, name, kind, above, comment, is_callback):
        self.name, self.type, self.above, self.comment, self.is_callback = name, kind, above, comment, is_callback
        self.says_no_such, self.is_output = False, False

    def end(self):
        """After the last line of the comment."""
        count = re.search(r"\[(\w+)\]", self.comment)
        self.count = count[1] if count else None  # the field with the number of elements
        self.may_be_null = bool(MAY_BE_NULL.search(self.comment if self.count else self.above + self.comment))
        self.is_user_data = self.name.endswith("user_data")
        self.demands = self.comment
        constants = CONSTANTS.match(self.comment) or CONSTANTS.match(self.above)
        self.constants = constants[0] if constants else ""
        largest = RANGE.search(self.comment)
        self.largest = int(largest[1]) if largest else None


class Function:
    def __init__(self, comment, result, name, parameters):
        self.result, self.name = result, name
        comment = re.sub(r"\s*\n?///\s*", " ", comment)
        self.parameters = [Parameter(text, comment) for text in parameters.split(",") if text != "void"]


class Headers:
    def __init__(self, sources):
        folder, text = os.path.join(sources, "include", "sinew", "c"), ""
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += file.read()
        self.functions = {match[2]: Function(*match) for match in PROTOTYPE.findall(text)}
        self.structs = {name: fields_of(body) for name, body in STRUCT.findall(text)}
        enums = [re.findall(r"(SINEW_\w+)\s*=\s*(\d+)", body) for body in ENUM.findall(text)]
        self.enums = [{name: int(value) for name, value in enum} for enum in enums]

    def first_wrong(self, constants):
        """The smallest number that is none of these constants, of SINEW_KIND_... or SINEW_ONE, SINEW_TWO."""
        prefix = constants.partition(",")[0].rstrip(".")
        values = next(list(enum.values()) for enum in self.enums if any(name.startswith(prefix) for name in enum))
        return max(values) + 1 if 0 in values else sum(values) + 1  # flags have no 0


def fields_of(body):
    fields, above, of_line, was_above = [], "", [], False
    for line in body.split("\n"):
        code, _, comment = line.partition("//")
        comment, is_above = comment.strip("/ "), code == "  "
        if is_above:
            above = f"{above} {comment}" if was_above else comment
        elif not code.strip():
            above = above if line.strip() else ""
            for field in of_line:
                field.comment += " " + comment
        else:
            kind = re.match(r"\s*((?:const )?\w+)", code)[1]
            of_line = [Field(plain or function, kind, above, comment, bool(function))
                       for plain, function in DECLARATOR.findall(code)]
            fields += of_line
        was_above = is_above
    for field in fields:
        field.end()
    return fields
