"""Writes src/python/unicode-tables.ts and unicode-names.ts: run with Python 3.13, whose answers they are.

    python3.13 scripts/python-tables.py
"""

import base64
import sys
import unicodedata
import zlib
from pathlib import Path

import _sre
from re._casefix import _EXTRA_CASES

assert sys.version_info[:2] == (3, 13), "the tables are those of Python 3.13"
TARGET = Path(__file__).resolve().parent.parent / "src" / "python"
ALL = range(sys.maxunicode + 1)
# Blocks whose names people write: Latin, modifiers, Greek, Cyrillic, punctuation to dingbats, emoji.
NAMED = [(0x20, 0x2FF), (0x370, 0x4FF), (0x2000, 0x27BF), (0x3000, 0x303F), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF)]


def base36(number):
    digits = ""
    sign = "-" if number < 0 else ""
    number = abs(number)
    while True:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        if not number:
            return sign + digits


def ranges(test):
    """Gap before, then length, of each run."""
    out, end, start = [], 0, None
    for code in [*ALL, None]:
        inside = code is not None and test(chr(code))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            stop = sys.maxunicode + 1 if code is None else code
            out += [start - end, stop - start]
            end, start = stop, None
    return out


def case_runs(convert):
    """Start (as a distance), count, step and shift of runs of characters whose other case differs."""
    pairs = [(c, convert(c)) for c in ALL if convert(c) != c]
    out, i, last = [], 0, 0
    while i < len(pairs):
        code, shift = pairs[i][0], pairs[i][1] - pairs[i][0]
        best = (1, 1)
        for step in (1, 2):
            n = 1
            while i + n < len(pairs) and pairs[i + n] == (code + n * step, code + n * step + shift):
                n += 1
            if n > best[0]:
                best = (n, step)
        out += [code - last, best[0], best[1], shift]
        last = code
        i += best[0]
    return out


def constant(comment, name, numbers):
    text = " ".join(map(base36, numbers))
    lines, line = [], ""
    for word in text.split(" "):
        if len(line) + len(word) > 128:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    body = " +\n".join(f'  "{part}"' for part in lines)
    return f"/** {comment} */\nexport const {name} =\n{body};\n"


word = lambda ch: ch.isalnum() or ch == "_"


extra = [n for code, others in _EXTRA_CASES.items() for n in (code, len(others), *others)]
tables = [
    f"// Made by scripts/python-tables.py from Python 3.13 (Unicode {unicodedata.unidata_version}): do not edit.\n"
    "// Numbers in base 36. The engine's own \\p{…} classes follow a Unicode version that differs from one Node to the next.\n",
    constant("`\\w`: gap and length of each run.", "wordRuns", ranges(word)),
    constant("`\\d`, runs of whole tens from 0 to 9.", "digitRuns", ranges(str.isdecimal)),
    constant("`\\s` and `str.strip`.", "spaceRuns", ranges(str.isspace)),
    constant("What `repr` escapes (`not str.isprintable`).", "unprintableRuns", ranges(lambda ch: not ch.isprintable())),
    constant("Lower case: distance to the run's start, count, step, shift.", "lowerRuns", case_runs(_sre.unicode_tolower)),
    constant("Upper case, the first letter of it.", "upperRuns", case_runs(lambda code: ord(chr(code).upper()[0]))),
    constant("Lower-case letters with the same upper case: code, count, the others.", "equalLetters", extra),
]
for run_start, run_length in zip(*[iter(ranges(str.isdecimal))] * 2):
    assert run_length % 10 == 0
(TARGET / "unicode-tables.ts").write_text("\n".join(tables), encoding="utf-8")

names = []
for first, last in NAMED:
    for code in range(first, last + 1):
        names.append(unicodedata.name(chr(code), ""))
packed = base64.b64encode(zlib.compress("\n".join(names).encode("ascii"), 9, wbits=-15)).decode("ascii")
lines = [packed[i : i + 128] for i in range(0, len(packed), 128)]
blocks = ", ".join(f"[0x{first:x}, 0x{last:x}]" for first, last in NAMED)
(TARGET / "unicode-names.ts").write_text(
    f"// Made by scripts/python-tables.py from Python 3.13 (Unicode {unicodedata.unidata_version}): do not edit.\n\n"
    f"/** Blocks whose names are in `packedNames`. */\nexport const namedBlocks: readonly (readonly [number, number])[] = [{blocks}];\n\n"
    "/** One name per line and code point, raw deflate in base64. */\nexport const packedNames =\n"
    + " +\n".join(f'  "{line}"' for line in lines) + ";\n",
    encoding="utf-8",
)
