"""Headings and links of Markdown files, as GitHub sees them, for the scripts that make and check the pages."""
import os
import re

FENCE = re.compile(r"^\s*(```+|~~~+)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^()\s>]+(?:\([^()\s]*\)[^()\s>]*)?)>?(?:\s+\"[^\"]*\")?\s*\)")


def blocks(text):
    """Pairs of (line number, lines, language of the fence) of a text: prose has None as language."""
    start, lines, fence, language = 1, [], None, None
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        mark = FENCE.match(line)
        opens, closes = mark and not fence, fence and mark and mark[1].startswith(fence)
        if opens and lines:
            yield start, lines, None
        if opens:
            start, lines, fence, language = number, [line], mark[1], line.strip()[len(mark[1]):].strip()
            continue
        lines.append(line)
        if closes:
            yield start, lines, language
            start, lines, fence = number + 1, [], None
    if lines:
        yield start, lines, language if fence else None


def blank_code_spans(text):
    """The text with spaces in place of what is between backticks: all other characters stay where they were."""
    return CODE_SPAN.sub(lambda span: re.sub(r"[^\n]", " ", span[0]), text)


def links(text):
    """(line number, match of LINK) of each link and picture of a text that has no code blocks."""
    for match in LINK.finditer(blank_code_spans(text)):
        yield text.count("\n", 0, match.start()) + 1, match


def slug(title):
    """The anchor that GitHub gives to a heading."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


class Slugs:
    """Anchors of the headings of one file, in order: those that come again get a number."""

    def __init__(self):
        self.seen = {}

    def next(self, title):
        name = slug(title)
        count = self.seen[name] = self.seen.get(name, -1) + 1
        return f"{name}-{count}" if count else name


def anchors(text):
    """The anchors of all headings of a Markdown text."""
    slugs = Slugs()
    return {slugs.next(heading[2]) for _, lines, language in blocks(text) if language is None
            for heading in map(HEADING.match, lines) if heading}


def page_name(path):
    """The name of the page that a Markdown file of the repository becomes: README.md is index, docs/a.md is a."""
    name = re.sub(r"\.md$", "", path).removeprefix("docs/").removesuffix("/README").replace("/", "-").lower()
    return "index" if name == "readme" else name


def inputs(doxyfile):
    """The Markdown files that become pages."""
    with open(doxyfile, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    return {word for line in re.findall(r"^INPUT\s*=(.*)$", text, re.MULTILINE) for word in line.split()
            if word.endswith(".md")}


def relative_to(path, target):
    """The path of a link's target; both paths are of the repository."""
    return os.path.normpath(os.path.join(os.path.dirname(path), target))
