#!/bin/bash
# bank.sh: soundbanks on the command line: parts merged are the whole to the byte, a build goes on, damage is named, the one
# that came along is found.
. "$(dirname "$0")/kit.bash"

small="--samples 3 --mass 0.00002"
expect 0 bank build glass $small -o whole.frb
says stdout "3 of 3 ellipsoids, 3 made now"
expect 0 bank build glass $small -o whole.frb # again: nothing is done twice
says stdout "3 of 3 ellipsoids, 0 made now"
expect 0 bank build glass $small --part 1/2 -o one.frb
expect 0 bank build glass $small --part 2/2 -o two.frb
expect 0 bank merge two.frb one.frb -o merged.frb
cmp whole.frb merged.frb || fail "two parts merged are not the bytes of one build"
expect 0 bank info one.frb
says stdout "2 of 3 ellipsoids"

# another plan does not get into a bank
expect 3 bank build glass --samples 3 --mass 0.00003 -o whole.frb
says stderr "--restart throws it away"
expect 3 bank build bronze --samples 3 -o whole.frb
expect 3 bank build oak -o oak.frb
says stderr "without grain"
expect 2 bank build glass --part 3/2 -o x.frb
expect 2 bank build glass --part half -o x.frb
expect 2 bank forge glass
expect 2 bank build glass -o x.bin

# bytes are not believed
cp whole.frb bad.frb
python3 -c "import sqlite3; d = sqlite3.connect('bad.frb'); d.execute('UPDATE entry SET bytes = zeroblob(100) WHERE number = 1'); d.commit()" && {
    expect 3 bank info bad.frb
    says stderr "byte"
}
head -c 5000 whole.frb > cut.frb
expect 3 bank info cut.frb
echo none > no.frb
expect 3 bank info no.frb

# the one that came along
expect 0 bank info --json
says stdout '"material": "glass"'
says stdout '"samples": 73'
expect 0 bank pack -o glass.bank
expect 2 sound x.fracas --proxy 50%
verdict
