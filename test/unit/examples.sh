#!/bin/bash
# examples.sh: every example of docs/scene.md passes `fracas check`, put where it belongs; so does the README's.
. "$(dirname "$0")/kit.bash"

mkdir scenes assets
cp "$source"/assets/*.obj assets/
expect 0 mesh small.lua -o scenes/part.msh
python3 - "$source/docs/scene.md" "$source/README.md" << 'PY' || fail "the pages have other examples than expected"
import re, sys
page = open(sys.argv[1]).read()
example = re.findall(r"^##+ (.+)\n(?:(?!^##)(?!^```).*\n)*?^```lua\n((?:(?!^```).*\n)+)```", page, re.M)
shape = re.findall(r"^### (\w+)", page[page.index("## Shapes"):page.index("## Regions")], re.M)
region = re.findall(r"^### (\w+)", page[page.index("## Regions"):], re.M)
solid = "local pane = body { name = 'pane', material = 'oak', shape = box { 1*m, 2*cm, 1*m }, cells = 5*cm, at = {0, 0, 1*m}%s }\n" \
    "local beam = body { name = 'beam', material = 'oak', shape = box { 1*m, 10*cm, 10*cm }, at = {0, 1*m, 1*m}, cells = 5*cm%s }\n" \
    "local bar = body { name = 'bar', material = 'oak', shape = box { 40*cm, 4*cm, 4*cm }, cells = 2*cm, at = {0, 2*m, 1*m}%s }\n"
inside = {"step": "scene { %s }", "contact": "scene { %s }", "camera": "film { %s }", "slow": "film { %s }",
    "power key": "heat { bar, power = { {0, 0}, %s } }",
    "key": "pressure { pane, value = { {0, 0}, %s } }", "force key": "force { pane, value = { {0, {0, 0, 0}}, %s } }",
    "place key": "sphere { 1*cm, at = {0, -1, 1}, path = { {0, {0, -1, 1}}, %s } }",
    "part": "body { name = 'x', material = 'oak', shape = ball(5*cm), at = {3, 0, 0}, parts = { %s } }",
    "spot": "drag { beam, at = {0, 1*m, 1*m}, velocity = {0, 0, 0}, by = { %s } }",
    "pose": "drive { pane, where = below { z = -40*cm }, path = { {0, {0, 0, 0}, {0, 0, 0}}, %s } }",
    **{group: "body { name = 'x', material = 'oak', shape = ball(1*cm), at = {3, 0, 0}, %s }" for group in ("crack", "criterion", "remeshing", "pieces", "cost")},
    "cut": "body { name = 'x', material = 'oak', shape = box { 1*m, 10*cm, 1*m }, cells = 5*cm, at = {3, 0, 0}, %s }",
    "hole": "body { name = 'x', material = 'oak', shape = extrude { {0, 0}, {9*cm, 0}, {0, 9*cm}, height = 3*cm, holes = { %s } }, at = {3, 0, 0} }"}
warm = {"heat", "power key"}
frames = {"pin", "hinge", "cord", "spot"}
count = 0
for name, text in example:
    if name in shape: text = "body { name = 'x', material = 'oak', at = {3, 0, 0}, shape = %s }" % text
    elif name in region: text = "fix { body { name = 'x', material = 'oak', shape = box { 1*m, 10*cm, 1*m }, cells = 5*cm, at = {3, 0, 1} }, where = %s }" % text
    elif name in inside: text = inside[name] % text
    head = solid % ((", model = 'frame'" if name in frames else "",) * 3)
    if name in warm: head = "material { name = 'soft', base = 'rubber', heat_capacity = 2000 }\n" + \
        solid.split("\n")[2].replace("oak", "soft") % ", model = 'corot'" + "\n"
    open("scenes/%02d-%s.lua" % (count, name.replace(" ", "-")), "w").write(head + text)
    count += 1
readme = re.findall(r"```lua\n(.*?)```", open(sys.argv[2]).read(), re.S)
for k, text in enumerate(readme): open("scenes/readme-%d.lua" % k, "w").write(text)
print(count, "examples")
sys.exit(count != page.count("```lua") or not readme)
PY
for scene in scenes/*.lua; do
    expect 0 check "$scene" --quiet
    says stdout ": ok"
done
verdict
