#!/bin/bash
# export_broken.sh: a can in the skin of an OBJ and a tile break; as USD every piece is a closed prim of its own, with the file's UVs
# outside, box-projected ones inside, and the times of its cracks; alike with the last mesh over all frames and that of each.
. "$(dirname "$0")/kit.bash"
check="$source/test/unit/export_broken.py"
export PYTHONDONTWRITEBYTECODE=1

python3 "$check" scene || fail "no scene"
expect 0 run scene.lua --no-film --no-sound --quiet -o out
expect 0 export out/run.fracas -o final.usda --quiet
expect 0 export out/run.fracas -o changing.usda --topology changing --quiet
expect 0 export out/run.fracas -o burst.usda --burst --quiet
python3 "$check" final.usda changing.usda burst.usda out || fail "what broke is not in USD as it was"
verdict
