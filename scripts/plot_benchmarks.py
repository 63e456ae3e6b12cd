#!/usr/bin/env python3
"""Draws reports of `sinew crowd --json` as one HTML page, like `sinew crowd --html`: one report after another, and above
them all machines in one plot.

Without files it draws benchmarks/results/*/crowd.json. The page needs nothing else.
"""
import argparse
import glob
import json
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(ROOT, "src/app/crowd/report/html/report.html")
PLACE = 'id="reports">[]<'


def name_of(path, report):
    """The folder of a kept result is the name of its machine."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    return folder if os.path.basename(path) == "crowd.json" else report["device"]["name"]


def entry_of(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if report.get("schema") != 1 or not isinstance(report.get("runs"), list):
        raise ValueError("not a report of sinew crowd, JSON schema 1")
    return {"name": name_of(path, report), "report": report, "pictures": []}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="*", metavar="REPORT.json")
    parser.add_argument("--output", default="out/benchmarks.html", help="the page [out/benchmarks.html]")
    options = parser.parse_args()
    paths = options.reports or sorted(glob.glob(os.path.join(ROOT, "benchmarks/results/*/crowd.json")))
    if not paths:
        sys.exit("plot_benchmarks.py: there are no reports: name some, or run scripts/submit_results")
    entries = []
    for path in paths:
        try:
            entries.append(entry_of(path))
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"plot_benchmarks.py: {path}: {error}")
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    data = json.dumps(entries, separators=(",", ":")).replace("</", "<\\/")
    folder = os.path.dirname(os.path.abspath(options.output))
    os.makedirs(folder, exist_ok=True)
    beside = options.output + ".new"
    with open(beside, "w", encoding="utf-8") as file:
        file.write(page.replace(PLACE, 'id="reports">' + data + "<", 1))
    os.replace(beside, options.output)
    print(f"{options.output}: {len(entries)} {'report' if len(entries) == 1 else 'reports'}")


if __name__ == "__main__":
    main()
