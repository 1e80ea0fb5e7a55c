#!/usr/bin/env python3
"""draw_architecture.py: draws docs/images/architecture.svg, the way of data through the rooms.

usage: tools/draw_architecture.py > docs/images/architecture.svg
"""

WIDTH, HEIGHT = 980, 640
RUNTIME, STUDIO, DATA = "#dbe9f6", "#e9f2dc", "#fdf3d6"

# x, y, width, height, colour, title, lines
BOXES = [
    (20, 20, 200, 62, DATA, "scene.lua, scene.json", ["what a user writes"]),
    (260, 20, 200, 62, STUDIO, "scene/", ["read, check, resolve"]),
    (500, 20, 200, 62, STUDIO, "build/", ["scene to a filled world"]),
    (740, 20, 220, 62, RUNTIME, "geom/ mesh/ material/ skin/", ["shape to tets and their material"]),
    (260, 140, 440, 200, RUNTIME, "world/", []),
    (280, 172, 190, 70, "#ffffff", "model_fem*.c", ["deforms and breaks: fem/,", "fracture/, cut/"]),
    (490, 172, 190, 70, "#ffffff", "model_frame.c", ["rigid: frames/, rigid/"]),
    (280, 256, 400, 66, "#ffffff", "contact/ finds overlaps, solve/ answers them",
     ["penalty forces for what deforms,", "rows (contact, friction, joints) for rigid frames"]),
    (20, 180, 200, 100, STUDIO, "run/", ["the loop between two frames:", "step, record, checkpoint;", "bursts, rehearsal, estimate"]),
    (740, 170, 190, 64, DATA, "events (event/)", ["impact, crack, piece, birth, ..."]),
    (740, 262, 190, 64, DATA, "frame views", ["where each body and node is"]),
    (500, 400, 460, 62, STUDIO, "record/ on store/: run.fracas", ["frames, poses, events, cuts, checkpoints; survives kill -9"]),
    (20, 400, 200, 62, RUNTIME, "modal/ (backend/ solves)", ["mesh to modes"]),
    (260, 400, 200, 62, STUDIO, "score/", ["events and poses to hits;", "modes to cooked bodies"]),
    (260, 510, 200, 62, RUNTIME, "sound/", ["hits and modes to samples"]),
    (500, 510, 220, 62, STUDIO, "export/", ["USD, ParaView, tables, page"]),
    (740, 510, 220, 62, STUDIO, "render/", ["pictures, film"]),
    (20, 590, 940, 36, STUDIO, "output/ decides what a run leaves behind: film, sheet, page, report, WAV, stems.  bench/ measures.  job/ has the verbs.", []),
]
ARROWS = [
    (220, 51, 260, 51), (460, 51, 500, 51), (740, 51, 700, 51), (600, 82, 600, 140), (220, 230, 260, 230),
    (700, 202, 740, 202), (700, 294, 740, 294), (835, 326, 835, 400), (500, 431, 460, 431),
    (220, 431, 260, 431), (360, 462, 360, 510), (610, 462, 610, 510), (850, 462, 850, 510), (360, 572, 360, 590),
    (610, 572, 610, 590), (850, 572, 850, 590),
]


def text(x, y, words, size, weight="normal"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return (f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="middle" fill="#222">{words}</text>')


def box(x, y, width, height, colour, title, lines):
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{colour}" stroke="#667"/>'
    middle = x + width / 2
    yield text(middle, y + 23, title, 13, "bold")
    for k, line in enumerate(lines):
        yield text(middle, y + 42 + 16 * k, line, 12)


def main():
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">')
    print('<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
          '<path d="M0,0 L9,4 L0,8 z" fill="#445"/></marker></defs>')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    for item in BOXES:
        print("\n".join(box(*item)))
    for x1, y1, x2, y2 in ARROWS:
        print(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#445" stroke-width="1.6" marker-end="url(#tip)"/>')
    print('<path d="M930,202 H946 V400" fill="none" stroke="#445" stroke-width="1.6" marker-end="url(#tip)"/>')
    print(text(120, 318, "blue: libfracas", 12))
    print(text(120, 336, "green: libfracas-studio", 12))
    print(text(120, 354, "yellow: plain data", 12))
    print("</svg>")


if __name__ == "__main__":
    main()
