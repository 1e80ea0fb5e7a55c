// fracas/fracas.h: the whole runtime in one include.
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/bank.h"
#include "fracas/base.h"
#include "fracas/body.h"
#include "fracas/event.h"
#include "fracas/frame.h"
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "fracas/motion.h"
#include "fracas/soundbank.h"
#include "fracas/world.h"
