// world_defs.c: drives, loads and joints when nothing else is given.

#include "base/base.h"
#include "fracas/world.h"
#include <math.h>

FrDriveDef fr_drive_def_default(void) {
    return (FrDriveDef){.until = HUGE_VAL, .cookie = FR_COOKIE};
}

FrLoadDef fr_load_def_default(void) {
    return (FrLoadDef){.kind = FR_LOAD_FORCE, .cookie = FR_COOKIE};
}

FrJointDef fr_joint_def_default(void) {
    return (FrJointDef){.kind = FR_JOINT_BALL, .cookie = FR_COOKIE};
}
