// library.c: the materials that come with Fracas, each value with its source.
//
// Everyday materials are in true units, round values typical of the class. Handbook loss factors H
// (a ratio, at about 1 kHz) are split evenly between a constant loss factor and stiffness damping,
// because both act at once:
//     eta = H/2,   alpha1 = H/2 / (2 pi f0),   f0 = 1 kHz for hard and 20 Hz for soft solids
// (soft ones are looked at, hard ones listened to). Where high tones are known to last (glass),
// they have one loss factor at all pitches, alpha1 is 0, and phi and psi, which damp motion, stay.
// Yield stress s gives the deviatoric strain norm sqrt(2/3) s / (2 mu). Materials of the papers
// keep their printed numbers (SI), with strains halved (E1).

#include "material/laws.h"
#include <stdio.h>
#include <string.h>

typedef struct Row {
    const char *name;
    FrMaterialInfo info;
    double density;                                   ///< kg/m^3
    double young, poisson;                            ///< Pa, 1; or
    double lambda, mu;                                ///< Pa (when young is 0); or
    const FrOrthotropic *wood;                        ///< nine constants
    double loss, loss_hz;                             ///< handbook loss factor, Hz; or
    double alpha1, alpha2, phi, psi;                  ///< s, 1/s, Pa s
    double tone_loss;                                 ///< of tones at all pitches; 0: as loss says
    double friction_static, friction_dynamic, bounce; ///< 1
    double strength, Gc, tau;                         ///< Pa, J/m^2, N
    double yield_stress;                              ///< Pa; or
    double yield_strain, plastic_limit, crack_alpha;  ///< 1
    float colour[3], roughness, metallic, opacity;
} Row;

// Sources that several rows share.
#define ASHBY "Ashby & Jones, Engineering Materials 1"
#define KAYE "Kaye & Laby, Tables of Physical and Chemical Constants"
#define CREMER "loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound"
#define CRC                                                                                        \
    "friction: CRC Handbook, coefficients of friction (dry); restitution: chosen, drop tests"
#define CHOSEN_CONTACT "chosen: typical of the class (not in a handbook)"
#define CHOSEN_LOOK "chosen for good pictures"
#define NO_YIELD "does not yield"
#define NO_BREAK "does not break here"
#define WOODBOOK "Wood Handbook FPL-GTR-282, chapter 5 (12 % moisture)"
#define PAPER_CONTACT "not printed in the paper; friction and restitution chosen"

// x along the grain, y radial, z tangential; E along the grain is the bending value plus 10 %
static const FrOrthotropic oak = {13.8e9,         0.154 * 13.8e9, 0.082 * 13.8e9,
                                  0.020 * 13.8e9, 0.081 * 13.8e9, 0.089 * 13.8e9,
                                  0.350,          0.448,          0.560};
static const FrOrthotropic pine = {13.5e9,         0.113 * 13.5e9, 0.078 * 13.5e9,
                                   0.013 * 13.5e9, 0.081 * 13.5e9, 0.082 * 13.5e9,
                                   0.328,          0.292,          0.382};
static const FrOrthotropic spruce = {10.9e9,         0.078 * 10.9e9, 0.043 * 10.9e9,
                                     0.003 * 10.9e9, 0.061 * 10.9e9, 0.064 * 10.9e9,
                                     0.372,          0.467,          0.435};

// A table, one material per paragraph.
// clang-format off
static const Row rows[] = {
    {.name = "glass",
     .info = {"Soda-lime window glass.", KAYE, KAYE,
     "tones: 1e-3 at all pitches, chosen within the 0.6e-3 to 2e-3 of Cremer, Heckl & Petersson; motion: theirs",
     CRC,
     "strength 45 MPa: chosen, the order of handbooks for annealed glass; Gc: Ashby & Jones", NO_YIELD,
     CHOSEN_LOOK},
     .density = 2500.0, .young = 7e+10, .poisson = 0.22, .loss = 0.0012, .loss_hz = 1000.0,
     .tone_loss = 1e-3,
     .friction_static = 0.9, .friction_dynamic = 0.4, .bounce = 0.6, .strength = 4.5e+07,
     .Gc = 10.0,
     .colour = {0.55f, 0.8f, 0.72f}, .roughness = 0.05f, .metallic = 0.0f, .opacity = 0.35f},
    {.name = "porcelain",
     .info = {"Hard-fired table porcelain.", "Kingery, Introduction to Ceramics; CRC Handbook",
     "Kingery, Introduction to Ceramics; CRC Handbook",
     "loss factor: chosen between glass and stoneware", CHOSEN_CONTACT,
     "strength 60 MPa: chosen, the order of handbooks; Gc: Kic 1.4 MPa m^0.5 squared over E", NO_YIELD, CHOSEN_LOOK},
     .density = 2400.0, .young = 7e+10, .poisson = 0.22, .loss = 0.0015, .loss_hz = 1000.0,
     .friction_static = 0.6, .friction_dynamic = 0.4, .bounce = 0.5, .strength = 6e+07,
     .Gc = 30.0,
     .colour = {0.86f, 0.85f, 0.82f}, .roughness = 0.15f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "ceramic",
     .info = {"Glazed stoneware, as of plates and tiles.", "Kingery, Introduction to Ceramics",
     "Kingery, Introduction to Ceramics", "loss factor: chosen, twice porcelain (more pores)",
     CHOSEN_CONTACT, "Kingery; Gc: Kic 1.1 MPa m^0.5 squared over E", NO_YIELD, CHOSEN_LOOK},
     .density = 2300.0, .young = 5e+10, .poisson = 0.2, .loss = 0.003, .loss_hz = 1000.0,
     .friction_static = 0.6, .friction_dynamic = 0.45, .bounce = 0.45, .strength = 4e+07,
     .Gc = 25.0,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "terracotta",
     .info = {"Low-fired flower-pot clay.",
     "Kingery, Introduction to Ceramics; range 10 to 25 GPa",
     "Kingery, Introduction to Ceramics; range 10 to 25 GPa",
     "loss factor: chosen between brick and stoneware", CHOSEN_CONTACT, "Kingery; Gc chosen",
     NO_YIELD, CHOSEN_LOOK},
     .density = 1900.0, .young = 1.8e+10, .poisson = 0.2, .loss = 0.008, .loss_hz = 1000.0,
     .friction_static = 0.7, .friction_dynamic = 0.6, .bounce = 0.3, .strength = 1.2e+07,
     .Gc = 15.0,
     .colour = {0.55f, 0.2f, 0.1f}, .roughness = 0.85f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "oak",
     .info = {"Northern red oak, grain along x.",
     "Wood Handbook, chapter 5: specific gravity 0.63 at 12 % moisture. Shear yz is not "
     "tabulated for oak: 0.020 E, as sweetgum", WOODBOOK, CREMER, CRC,
     "modulus of rupture: Wood Handbook, chapter 5; Gc across the grain: Ashby & Jones",
     "does not yield (crushing of the grain is not modelled)", CHOSEN_LOOK},
     .density = 700.0, .wood = &oak, .loss = 0.012, .loss_hz = 1000.0, .friction_static = 0.62,
     .friction_dynamic = 0.48, .bounce = 0.45, .strength = 9.9e+07, .Gc = 12000.0,
     .colour = {0.36f, 0.19f, 0.08f}, .roughness = 0.55f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "pine",
     .info = {"Loblolly pine, grain along x.", WOODBOOK, WOODBOOK, CREMER, CRC,
     "modulus of rupture: Wood Handbook, chapter 5; Gc across the grain: Ashby & Jones",
     "does not yield (crushing of the grain is not modelled)", CHOSEN_LOOK},
     .density = 570.0, .wood = &pine, .loss = 0.014, .loss_hz = 1000.0, .friction_static = 0.6,
     .friction_dynamic = 0.4, .bounce = 0.4, .strength = 8.8e+07, .Gc = 9000.0,
     .colour = {0.62f, 0.4f, 0.2f}, .roughness = 0.6f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "spruce",
     .info = {"Sitka spruce, soundboard wood, grain along x.", WOODBOOK, WOODBOOK, CREMER, CRC,
     "modulus of rupture: Wood Handbook, chapter 5; Gc across the grain: Ashby & Jones",
     "does not yield (crushing of the grain is not modelled)", CHOSEN_LOOK},
     .density = 430.0, .wood = &spruce, .loss = 0.008, .loss_hz = 1000.0, .friction_static = 0.55,
     .friction_dynamic = 0.4, .bounce = 0.4, .strength = 7e+07, .Gc = 8000.0,
     .colour = {0.7f, 0.5f, 0.28f}, .roughness = 0.6f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "steel",
     .info = {"Mild structural steel.", KAYE, KAYE, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 7850.0, .young = 2.1e+11, .poisson = 0.29, .loss = 0.0002, .loss_hz = 1000.0,
     .friction_static = 0.74, .friction_dynamic = 0.57, .bounce = 0.7, .strength = 4e+08,
     .Gc = 100000.0, .yield_stress = 2.5e+08, .plastic_limit = 0.3,
     .colour = {0.55f, 0.56f, 0.58f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "iron",
     .info = {"Grey cast iron.", KAYE, KAYE, CREMER, CRC,
     "Ashby & Jones; Gc: Kic 15 MPa m^0.5 squared over E", NO_YIELD, CHOSEN_LOOK},
     .density = 7200.0, .young = 1.1e+11, .poisson = 0.26, .loss = 0.0015, .loss_hz = 1000.0,
     .friction_static = 0.4, .friction_dynamic = 0.15, .bounce = 0.5, .strength = 2e+08,
     .Gc = 2000.0,
     .colour = {0.3f, 0.3f, 0.31f}, .roughness = 0.55f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "aluminium",
     .info = {"Aluminium alloy 6061-T6.", "ASM Handbook volume 2, 6061-T6",
     "ASM Handbook volume 2, 6061-T6", CREMER, CRC,
     "ASM Handbook volume 2; Gc: Kic 29 MPa m^0.5 squared over E",
     "ASM Handbook volume 2: yield 276 MPa, elongation 12 %", CHOSEN_LOOK},
     .density = 2700.0, .young = 6.9e+10, .poisson = 0.33, .loss = 0.0001, .loss_hz = 1000.0,
     .friction_static = 1.05, .friction_dynamic = 0.6, .bounce = 0.6, .strength = 3.1e+08,
     .Gc = 12000.0, .yield_stress = 2.76e+08, .plastic_limit = 0.15,
     .colour = {0.8f, 0.81f, 0.82f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "copper",
     .info = {"Annealed copper.", KAYE, KAYE, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 8940.0, .young = 1.2e+11, .poisson = 0.34, .loss = 0.002, .loss_hz = 1000.0,
     .friction_static = 1.0, .friction_dynamic = 0.36, .bounce = 0.45, .strength = 2.2e+08,
     .Gc = 50000.0, .yield_stress = 7e+07, .plastic_limit = 0.4,
     .colour = {0.8f, 0.38f, 0.22f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "bronze",
     .info = {"Bell bronze, 20 % tin.",
     "Fletcher & Rossing, The Physics of Musical Instruments; ASM Handbook volume 2",
     "Fletcher & Rossing, The Physics of Musical Instruments; ASM Handbook volume 2", CREMER, CRC,
     "ASM Handbook volume 2; Gc chosen", "ASM Handbook volume 2", CHOSEN_LOOK},
     .density = 8700.0, .young = 1e+11, .poisson = 0.34, .loss = 0.0002, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.35, .bounce = 0.6, .strength = 2.5e+08,
     .Gc = 5000.0, .yield_stress = 1.8e+08, .plastic_limit = 0.05,
     .colour = {0.55f, 0.34f, 0.14f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "brass",
     .info = {"Cartridge brass.", KAYE, KAYE, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 8500.0, .young = 1.05e+11, .poisson = 0.35, .loss = 0.0005, .loss_hz = 1000.0,
     .friction_static = 0.51, .friction_dynamic = 0.44, .bounce = 0.55, .strength = 3.3e+08,
     .Gc = 30000.0, .yield_stress = 1.1e+08, .plastic_limit = 0.4,
     .colour = {0.75f, 0.55f, 0.2f}, .roughness = 0.25f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "lead",
     .info = {"Soft lead.", KAYE, KAYE, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 11340.0, .young = 1.6e+10, .poisson = 0.44, .loss = 0.03, .loss_hz = 1000.0,
     .friction_static = 0.9, .friction_dynamic = 0.8, .bounce = 0.1, .strength = 1.8e+07,
     .Gc = 20000.0, .yield_stress = 8e+06, .plastic_limit = 0.45,
     .colour = {0.18f, 0.19f, 0.21f}, .roughness = 0.6f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "gold",
     .info = {"Pure gold.", KAYE, KAYE, CREMER, CHOSEN_CONTACT,
     "Kaye & Laby; Gc chosen, as copper", "CRC Handbook, annealed gold", CHOSEN_LOOK},
     .density = 19300.0, .young = 7.9e+10, .poisson = 0.42, .loss = 0.001, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.4, .bounce = 0.3, .strength = 1.2e+08,
     .Gc = 50000.0, .yield_stress = 4e+07, .plastic_limit = 0.45,
     .colour = {1.0f, 0.66f, 0.22f}, .roughness = 0.2f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "concrete",
     .info = {"Plain concrete.", ASHBY, ASHBY, CREMER, CRC,
     "tensile strength: Eurocode 2, C30/37 mean 2.9 MPa; Gc: CEB-FIP Model Code", NO_YIELD,
     CHOSEN_LOOK},
     .density = 2400.0, .young = 3e+10, .poisson = 0.2, .loss = 0.006, .loss_hz = 1000.0,
     .friction_static = 0.75, .friction_dynamic = 0.6, .bounce = 0.3, .strength = 3e+06,
     .Gc = 80.0,
     .colour = {0.42f, 0.41f, 0.39f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "brick",
     .info = {"Fired clay brick.", ASHBY, ASHBY, CREMER, CRC,
     "Ashby & Jones; tensile strength a tenth of crushing strength", NO_YIELD, CHOSEN_LOOK},
     .density = 1900.0, .young = 1.5e+10, .poisson = 0.18, .loss = 0.015, .loss_hz = 1000.0,
     .friction_static = 0.7, .friction_dynamic = 0.6, .bounce = 0.3, .strength = 3e+06,
     .Gc = 40.0,
     .colour = {0.42f, 0.13f, 0.07f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "granite",
     .info = {"Granite.", "Jaeger & Cook, Fundamentals of Rock Mechanics",
     "Jaeger & Cook, Fundamentals of Rock Mechanics", CREMER, CRC,
     "Jaeger & Cook; Gc: Atkinson, Fracture Mechanics of Rock", NO_YIELD, CHOSEN_LOOK},
     .density = 2650.0, .young = 5e+10, .poisson = 0.25, .loss = 0.005, .loss_hz = 1000.0,
     .friction_static = 0.7, .friction_dynamic = 0.55, .bounce = 0.4, .strength = 1e+07,
     .Gc = 100.0,
     .colour = {0.36f, 0.34f, 0.33f}, .roughness = 0.5f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "marble",
     .info = {"White marble.", "Jaeger & Cook, Fundamentals of Rock Mechanics",
     "Jaeger & Cook, Fundamentals of Rock Mechanics", CREMER, CRC,
     "Jaeger & Cook; Gc: Atkinson, Fracture Mechanics of Rock", NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .young = 5.5e+10, .poisson = 0.25, .loss = 0.003, .loss_hz = 1000.0,
     .friction_static = 0.7, .friction_dynamic = 0.5, .bounce = 0.4, .strength = 8e+06,
     .Gc = 40.0,
     .colour = {0.84f, 0.83f, 0.8f}, .roughness = 0.2f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "plaster",
     .info = {"Gypsum plaster.", ASHBY, ASHBY, CREMER, CHOSEN_CONTACT, ASHBY, NO_YIELD,
     CHOSEN_LOOK},
     .density = 1000.0, .young = 4e+09, .poisson = 0.22, .loss = 0.008, .loss_hz = 1000.0,
     .friction_static = 0.7, .friction_dynamic = 0.6, .bounce = 0.2, .strength = 2e+06,
     .Gc = 10.0,
     .colour = {0.85f, 0.84f, 0.8f}, .roughness = 0.95f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "ice",
     .info = {"Water ice at -10 degrees Celsius.", "Petrenko & Whitworth, Physics of Ice",
     "Petrenko & Whitworth, Physics of Ice",
     "loss factor: Petrenko & Whitworth, order of magnitude", CRC,
     "Petrenko & Whitworth: 1 MPa; Gc: Ashby & Jones", NO_YIELD, CHOSEN_LOOK},
     .density = 917.0, .young = 9.3e+09, .poisson = 0.33, .loss = 0.01, .loss_hz = 1000.0,
     .friction_static = 0.1, .friction_dynamic = 0.03, .bounce = 0.3, .strength = 1e+06,
     .Gc = 3.0,
     .colour = {0.7f, 0.86f, 0.95f}, .roughness = 0.1f, .metallic = 0.0f, .opacity = 0.5f},
    {.name = "rubber",
     .info = {"Vulcanised natural rubber.",
     "Treloar, The Physics of Rubber Elasticity; Poisson 0.4999 lowered to 0.47 to keep the "
     "step long",
     "Treloar, The Physics of Rubber Elasticity; Poisson 0.4999 lowered to 0.47 to keep the "
     "step long", CREMER, CRC, ASHBY, NO_YIELD, CHOSEN_LOOK},
     .density = 930.0, .young = 2e+06, .poisson = 0.47, .loss = 0.1, .loss_hz = 20.0,
     .friction_static = 1.15, .friction_dynamic = 1.0, .bounce = 0.75, .strength = 2e+07,
     .Gc = 10000.0,
     .colour = {0.05f, 0.05f, 0.05f}, .roughness = 0.8f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "silicone",
     .info = {"Soft silicone rubber, Shore A 10.",
     "data sheets of platinum silicones, Shore A 10; Poisson lowered to 0.45 to keep the "
     "step long",
     "data sheets of platinum silicones, Shore A 10; Poisson lowered to 0.45 to keep the "
     "step long", "loss factor: chosen, a little above natural rubber", CHOSEN_CONTACT,
     "data sheets; Gc: tear strength 2 kN/m", NO_YIELD, CHOSEN_LOOK},
     .density = 1100.0, .young = 400000.0, .poisson = 0.45, .loss = 0.12, .loss_hz = 20.0,
     .friction_static = 1.0, .friction_dynamic = 0.9, .bounce = 0.6, .strength = 4e+06,
     .Gc = 2000.0,
     .colour = {0.8f, 0.24f, 0.28f}, .roughness = 0.45f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "jelly",
     .info = {"Gelatine dessert, about 6 % gelatine.",
     "phantoms of 5 to 10 % gelatine in the literature: 1 to 20 kPa; Poisson lowered to 0.45 "
     "to keep the step long",
     "phantoms of 5 to 10 % gelatine in the literature: 1 to 20 kPa; Poisson lowered to 0.45 "
     "to keep the step long", "loss factor: chosen; wobbles about six times", CHOSEN_CONTACT,
     "Baumberger, Caroli & Martina 2006: 1 to 10 J/m^2; strength chosen", NO_YIELD, CHOSEN_LOOK},
     .density = 1050.0, .young = 8000.0, .poisson = 0.45, .loss = 0.15, .loss_hz = 20.0,
     .friction_static = 0.5, .friction_dynamic = 0.4, .bounce = 0.4, .strength = 3000.0,
     .Gc = 2.0,
     .colour = {0.75f, 0.05f, 0.08f}, .roughness = 0.12f, .metallic = 0.0f, .opacity = 0.6f},
    {.name = "gelatine",
     .info = {"Ballistic gelatine, 10 %.",
     "Cronin & Falzon 2011, 10 % gelatine at 4 degrees; Poisson lowered to 0.45",
     "Cronin & Falzon 2011, 10 % gelatine at 4 degrees; Poisson lowered to 0.45",
     "loss factor: chosen", CHOSEN_CONTACT,
     "Cronin & Falzon 2011; Gc: Baumberger, Caroli & Martina 2006", NO_YIELD, CHOSEN_LOOK},
     .density = 1060.0, .young = 60000.0, .poisson = 0.45, .loss = 0.2, .loss_hz = 20.0,
     .friction_static = 0.6, .friction_dynamic = 0.5, .bounce = 0.35, .strength = 40000.0,
     .Gc = 10.0,
     .colour = {0.75f, 0.5f, 0.2f}, .roughness = 0.2f, .metallic = 0.0f, .opacity = 0.7f},
    {.name = "foam",
     .info = {"Soft polyurethane foam.", "Gibson & Ashby, Cellular Solids",
     "Gibson & Ashby, Cellular Solids", "loss factor: Gibson & Ashby", CHOSEN_CONTACT,
     "Gibson & Ashby; Gc chosen", NO_YIELD, CHOSEN_LOOK},
     .density = 30.0, .young = 60000.0, .poisson = 0.15, .loss = 0.25, .loss_hz = 20.0,
     .friction_static = 0.8, .friction_dynamic = 0.7, .bounce = 0.35, .strength = 80000.0,
     .Gc = 200.0,
     .colour = {0.85f, 0.75f, 0.35f}, .roughness = 0.95f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "polystyrene",
     .info = {"Expanded polystyrene, packing foam.",
     "Gibson & Ashby, Cellular Solids; EPS 100 to EN 13163",
     "Gibson & Ashby, Cellular Solids; EPS 100 to EN 13163", CREMER, CHOSEN_CONTACT,
     "EN 13163 EPS 100; Gc chosen", "compressive yield 0.1 MPa, EN 13163", CHOSEN_LOOK},
     .density = 25.0, .young = 6e+06, .poisson = 0.1, .loss = 0.04, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.45, .bounce = 0.4, .strength = 250000.0,
     .Gc = 60.0, .yield_stress = 100000.0, .plastic_limit = 0.3,
     .colour = {0.9f, 0.9f, 0.89f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "vinyl",
     .info = {"Soft plasticised vinyl.", "Ashby, Materials Selection; plasticised PVC",
     "Ashby, Materials Selection; plasticised PVC", "loss factor: chosen near rubber",
     CHOSEN_CONTACT, ASHBY, NO_YIELD, CHOSEN_LOOK},
     .density = 1250.0, .young = 2.5e+07, .poisson = 0.42, .loss = 0.15, .loss_hz = 20.0,
     .friction_static = 0.8, .friction_dynamic = 0.6, .bounce = 0.35, .strength = 1.5e+07,
     .Gc = 5000.0,
     .colour = {0.08f, 0.25f, 0.55f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "pvc",
     .info = {"Rigid PVC, pipe.", ASHBY, ASHBY, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 1400.0, .young = 3e+09, .poisson = 0.38, .loss = 0.03, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.4, .bounce = 0.45, .strength = 5e+07,
     .Gc = 2000.0, .yield_stress = 4.5e+07, .plastic_limit = 0.2,
     .colour = {0.55f, 0.56f, 0.58f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "acrylic",
     .info = {"Acrylic glass, PMMA.", ASHBY, ASHBY, CREMER, CRC, ASHBY, NO_YIELD, CHOSEN_LOOK},
     .density = 1190.0, .young = 3.2e+09, .poisson = 0.37, .loss = 0.03, .loss_hz = 1000.0,
     .friction_static = 0.8, .friction_dynamic = 0.5, .bounce = 0.5, .strength = 7e+07,
     .Gc = 350.0,
     .colour = {0.82f, 0.88f, 0.92f}, .roughness = 0.05f, .metallic = 0.0f, .opacity = 0.4f},
    {.name = "nylon",
     .info = {"Nylon 66, dry.", ASHBY, ASHBY, CREMER, CRC, ASHBY, ASHBY, CHOSEN_LOOK},
     .density = 1140.0, .young = 2.8e+09, .poisson = 0.39, .loss = 0.025, .loss_hz = 1000.0,
     .friction_static = 0.2, .friction_dynamic = 0.15, .bounce = 0.55, .strength = 7.5e+07,
     .Gc = 3000.0, .yield_stress = 6e+07, .plastic_limit = 0.3,
     .colour = {0.8f, 0.78f, 0.7f}, .roughness = 0.45f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "plastic",
     .info = {"ABS, toy bricks.", ASHBY, ASHBY, CREMER, CHOSEN_CONTACT, ASHBY, ASHBY,
     CHOSEN_LOOK},
     .density = 1050.0, .young = 2.2e+09, .poisson = 0.37, .loss = 0.018, .loss_hz = 1000.0,
     .friction_static = 0.45, .friction_dynamic = 0.35, .bounce = 0.5, .strength = 4.2e+07,
     .Gc = 4000.0, .yield_stress = 4e+07, .plastic_limit = 0.15,
     .colour = {0.7f, 0.03f, 0.03f}, .roughness = 0.25f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "cork",
     .info = {"Cork.", "Gibson & Ashby, Cellular Solids", "Gibson & Ashby, Cellular Solids",
     CREMER, CRC, "Gibson & Ashby; Gc: Kic squared over E", NO_YIELD, CHOSEN_LOOK},
     .density = 180.0, .young = 2e+07, .poisson = 0.05, .loss = 0.15, .loss_hz = 1000.0,
     .friction_static = 0.6, .friction_dynamic = 0.5, .bounce = 0.55, .strength = 1e+06,
     .Gc = 100.0,
     .colour = {0.52f, 0.32f, 0.16f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "clay",
     .info = {"Modelling clay, plasticine.",
     "McClintock & Argon, Mechanical Behavior of Materials: plasticine 2 to 10 MPa",
     "McClintock & Argon, Mechanical Behavior of Materials: plasticine 2 to 10 MPa",
     "loss factor: chosen", CHOSEN_CONTACT, "chosen: three times the yield stress",
     "plasticine: yield 0.04 to 0.1 MPa (McClintock & Argon)", CHOSEN_LOOK},
     .density = 1700.0, .young = 4e+06, .poisson = 0.4, .loss = 0.2, .loss_hz = 20.0,
     .friction_static = 0.9, .friction_dynamic = 0.8, .bounce = 0.05, .strength = 200000.0,
     .Gc = 300.0, .yield_stress = 60000.0, .plastic_limit = 0.5,
     .colour = {0.3f, 0.42f, 0.52f}, .roughness = 0.8f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "bone",
     .info = {"Cortical bone.", "Currey, Bones: Structure and Mechanics",
     "Currey, Bones: Structure and Mechanics", "loss factor: Lakes, Viscoelastic Materials",
     CHOSEN_CONTACT, "Currey; Gc: Ashby & Jones 0.6 to 5 kJ/m^2", NO_YIELD, CHOSEN_LOOK},
     .density = 1900.0, .young = 1.8e+10, .poisson = 0.3, .loss = 0.015, .loss_hz = 1000.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.5, .strength = 1.3e+08,
     .Gc = 1500.0,
     .colour = {0.8f, 0.72f, 0.55f}, .roughness = 0.5f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "leather",
     .info = {"Sole leather.", "Ashby, Materials Selection in Mechanical Design",
     "Ashby, Materials Selection in Mechanical Design", "loss factor: Ashby, Materials Selection",
     CRC, ASHBY, NO_YIELD, CHOSEN_LOOK},
     .density = 950.0, .young = 1.2e+08, .poisson = 0.4, .loss = 0.1, .loss_hz = 20.0,
     .friction_static = 0.6, .friction_dynamic = 0.5, .bounce = 0.35, .strength = 2.5e+07,
     .Gc = 10000.0,
     .colour = {0.22f, 0.09f, 0.04f}, .roughness = 0.7f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "wax",
     .info = {"Candle wax.", "Ashby, Materials Selection; paraffin, order of magnitude",
     "Ashby, Materials Selection; paraffin, order of magnitude", "loss factor: chosen",
     CHOSEN_CONTACT, "chosen: paraffin, order of magnitude",
     "chosen: paraffin, order of magnitude", CHOSEN_LOOK},
     .density = 900.0, .young = 2e+08, .poisson = 0.4, .loss = 0.08, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.4, .bounce = 0.2, .strength = 1.5e+06,
     .Gc = 40.0, .yield_stress = 1e+06, .plastic_limit = 0.3,
     .colour = {0.88f, 0.8f, 0.62f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "chocolate",
     .info = {"Dark chocolate at 18 degrees Celsius.",
     "Afoakwa, Chocolate Science and Technology; order of magnitude",
     "Afoakwa, Chocolate Science and Technology; order of magnitude", "loss factor: chosen",
     CHOSEN_CONTACT, "three-point bending of bars, order of magnitude", NO_YIELD, CHOSEN_LOOK},
     .density = 1300.0, .young = 9e+08, .poisson = 0.35, .loss = 0.04, .loss_hz = 1000.0,
     .friction_static = 0.5, .friction_dynamic = 0.4, .bounce = 0.2, .strength = 2.5e+06,
     .Gc = 30.0,
     .colour = {0.06f, 0.025f, 0.012f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},

    // S2 table 1; tau is printed as N/m^2 but is a force (E19)
    {.name = "s2-glass-slab",
     .info = {"Slab of glass of S2 figure 1, soft for the computers of 1999.", "S2 table 1",
     "S2 table 1", "S2 table 1", PAPER_CONTACT, "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 2588.0, .lambda = 1.04e+08, .mu = 1.04e+08, .phi = 0.0, .psi = 6760.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 10140.0,
     .colour = {0.55f, 0.8f, 0.72f}, .roughness = 0.05f, .metallic = 0.0f, .opacity = 0.35f},
    {.name = "s2-wall-1",
     .info = {"Adobe wall of S2 figure 9a.", "S2 table 1", "S2 table 1", "S2 table 1",
     PAPER_CONTACT, "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 2309.0, .lambda = 6.03e+08, .mu = 1.21e+08, .phi = 3015.0, .psi = 6030.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 6030.0,
     .colour = {0.55f, 0.36f, 0.22f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-wall-2",
     .info = {"Adobe wall of S2 figure 9b, hit by a ball of fifty times the mass.", "S2 table 1",
     "S2 table 1", "S2 table 1", PAPER_CONTACT, "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 2309.0, .lambda = 0.0, .mu = 1.81e+08, .phi = 0.0, .psi = 18090.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 6030.0,
     .colour = {0.55f, 0.36f, 0.22f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-bowl-1",
     .info = {"Bowl 1 of S2 figure 11a.", "S2 table 1", "S2 table 1", "S2 table 1", PAPER_CONTACT,
     "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 1013.0, .lambda = 2.65e+06, .mu = 3.97e+06, .phi = 264.0, .psi = 397.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 52.9,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-bowl-2",
     .info = {"Bowl 2 of S2 figure 11b.", "S2 table 1", "S2 table 1", "S2 table 1", PAPER_CONTACT,
     "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 1013.0, .lambda = 2.65e+06, .mu = 3.97e+06, .phi = 264.0, .psi = 397.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 39.6,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-bowl-3",
     .info = {"Bowl 3 of S2 figure 11c.", "S2 table 1", "S2 table 1", "S2 table 1", PAPER_CONTACT,
     "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 1013.0, .lambda = 2.65e+06, .mu = 3.97e+06, .phi = 264.0, .psi = 397.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 33.1,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-bowl-4",
     .info = {"Bowl 4 of S2 figure 11d.", "S2 table 1", "S2 table 1", "S2 table 1", PAPER_CONTACT,
     "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 1013.0, .lambda = 2.65e+06, .mu = 3.97e+06, .phi = 264.0, .psi = 397.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 13.2,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-comparison-bowl",
     .info = {"Bowl of S2 figure 13, next to a real one.", "S2 table 1", "S2 table 1",
     "S2 table 1", PAPER_CONTACT, "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 1013.0, .lambda = 0.0, .mu = 5.29e+07, .phi = 0.0, .psi = 198.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 106.0,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s2-the-end",
     .info = {"Letters of S2 figure 14.", "S2 table 1", "S2 table 1", "S2 table 1", PAPER_CONTACT,
     "S2 table 1", NO_YIELD, CHOSEN_LOOK},
     .density = 705.0, .lambda = 0.0, .mu = 9.21e+06, .phi = 0.0, .psi = 9.2,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 73.6,
     .colour = {0.7f, 0.12f, 0.08f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},

    // S6 tables 6.2 to 6.10; lambda, mu are about 1/50 of handbook values
    {.name = "s6-glass",
     .info = {"Glass of the thesis library.", "S6 table 6.2",
     "S6 table 6.2; about 1/50 of the handbook", "S6 table 6.2", PAPER_CONTACT, "S6 table 6.2",
     NO_YIELD, CHOSEN_LOOK},
     .density = 2595.0, .lambda = 4.19e+08, .mu = 5.78e+08, .phi = 1040.0, .psi = 1440.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 6010.0,
     .crack_alpha = 0.99,
     .colour = {0.55f, 0.8f, 0.72f}, .roughness = 0.05f, .metallic = 0.0f, .opacity = 0.35f},
    {.name = "s6-iron",
     .info = {"Iron of the thesis library.", "S6 table 6.3",
     "S6 table 6.3; about 1/50 of the handbook", "S6 table 6.3", PAPER_CONTACT, "S6 table 6.3",
     "S6 table 6.3; strains halved (E1)", CHOSEN_LOOK},
     .density = 7500.0, .lambda = 7.59e+08, .mu = 1.474e+09, .phi = 18980.0, .psi = 36850.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 24820.0,
     .yield_strain = 0.001, .plastic_limit = 0.1055,
     .colour = {0.3f, 0.3f, 0.31f}, .roughness = 0.5f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "s6-lead",
     .info = {"Lead of the thesis library.", "S6 table 6.4",
     "S6 table 6.4; about 1/50 of the handbook", "S6 table 6.4", PAPER_CONTACT, "S6 table 6.4",
     "S6 table 6.4; strains halved (E1)", CHOSEN_LOOK},
     .density = 11370.0, .lambda = 0.0, .mu = 5.93e+08, .phi = 0.0, .psi = 14840.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 11880.0,
     .yield_strain = 0.0005, .plastic_limit = 0.4955,
     .colour = {0.18f, 0.19f, 0.21f}, .roughness = 0.6f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "s6-ceramic",
     .info = {"Ceramic of the thesis library.", "S6 table 6.5",
     "S6 table 6.5; about 1/50 of the handbook", "S6 table 6.5", PAPER_CONTACT, "S6 table 6.5",
     NO_YIELD, CHOSEN_LOOK},
     .density = 2051.0, .lambda = 3.2e+08, .mu = 4.84e+08, .phi = 4030.0, .psi = 6050.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 2090.0,
     .crack_alpha = 0.5,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s6-ceramic-dense",
     .info = {"Ceramic of the thesis library, as the second table prints it (E24).",
     "S6 table 6.10", "S6 table 6.10; about 1/50 of the handbook", "S6 table 6.10", PAPER_CONTACT,
     "S6 table 6.10", NO_YIELD, CHOSEN_LOOK},
     .density = 2435.0, .lambda = 3.81e+08, .mu = 5.75e+08, .phi = 4790.0, .psi = 7180.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 2480.0,
     .crack_alpha = 0.5,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s6-polystyrene",
     .info = {"Polystyrene of the thesis library.", "S6 table 6.6",
     "S6 table 6.6; about 1/50 of the handbook", "S6 table 6.6", PAPER_CONTACT, "S6 table 6.6",
     NO_YIELD, CHOSEN_LOOK},
     .density = 46.45, .lambda = 1.4e+06, .mu = 900000.0, .phi = 37.0, .psi = 25.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 140.0,
     .crack_alpha = 0.99,
     .colour = {0.9f, 0.9f, 0.89f}, .roughness = 0.9f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s6-soft-vinyl",
     .info = {"Soft vinyl of the thesis library.", "S6 table 6.7",
     "S6 table 6.7; about 1/50 of the handbook", "S6 table 6.7", PAPER_CONTACT, "S6 table 6.7",
     "S6 table 6.7; strains halved (E1)", CHOSEN_LOOK},
     .density = 1580.0, .lambda = 3.78e+07, .mu = 2.52e+07, .phi = 945.0, .psi = 630.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 3350.0,
     .yield_strain = 0.0001, .plastic_limit = 0.49, .crack_alpha = 0.99,
     .colour = {0.08f, 0.25f, 0.55f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s6-hard-vinyl",
     .info = {"Hard vinyl of the thesis library.", "S6 table 6.8",
     "S6 table 6.8; about 1/50 of the handbook", "S6 table 6.8", PAPER_CONTACT, "S6 table 6.8",
     "S6 table 6.8; strains halved (E1). k2 is printed as 1.49, beyond 1.2247 no rest shape "
     "need exist (E11): 1.10 used", CHOSEN_LOOK},
     .density = 1580.0, .lambda = 3.78e+07, .mu = 2.52e+07, .phi = 945.0, .psi = 630.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 3350.0,
     .yield_strain = 0.045, .plastic_limit = 0.55, .crack_alpha = 0.99,
     .colour = {0.1f, 0.12f, 0.3f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s6-rubber",
     .info = {"Rubber of the thesis library.", "S6 table 6.9",
     "S6 table 6.9; about 1/50 of the handbook", "S6 table 6.9", PAPER_CONTACT, "S6 table 6.9",
     "S6 table 6.9; strains halved (E1)", CHOSEN_LOOK},
     .density = 2100.0, .lambda = 3.35e+07, .mu = 2.24e+07, .phi = 2510.0, .psi = 1650.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .tau = 2100.0,
     .yield_strain = 0.0051, .plastic_limit = 0.0126, .crack_alpha = 0.99,
     .colour = {0.05f, 0.05f, 0.05f}, .roughness = 0.8f, .metallic = 0.0f, .opacity = 1.0f},

    // S4 table 1
    {.name = "s4-chime",
     .info = {"Aluminium tube of the wind chime.", "S4 table 1", "S4 table 1", "S4 table 1",
     PAPER_CONTACT, NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 4.98e+10, .mu = 2.57e+10, .alpha1 = 1e-07, .alpha2 = 0.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.8f, 0.81f, 0.82f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "s4-bowl",
     .info = {"First bowl, a tenth of the stiffness of aluminium (E41).", "S4 table 1",
     "S4 table 1", "S4 table 1", PAPER_CONTACT, NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 4.98e+09, .mu = 2.57e+09, .alpha1 = 1e-07, .alpha2 = 30.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-bowl-wood",
     .info = {"Second bowl, wood.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT,
     NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 750.0, .lambda = 5e+08, .mu = 1e+08, .alpha1 = 8e-06, .alpha2 = 50.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.36f, 0.19f, 0.08f}, .roughness = 0.55f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-bunny-ceramic",
     .info = {"Ceramic bunny.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT, NO_BREAK,
     NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 3.99e+09, .mu = 2.05e+09, .alpha1 = 1e-06, .alpha2 = 10.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-bunny-metal",
     .info = {"Metal bunny.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT, NO_BREAK,
     NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 4.99e+10, .mu = 2.56e+10, .alpha1 = 1e-07, .alpha2 = 0.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.8f, 0.81f, 0.82f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "s4-shelf-plastic",
     .info = {"Plastic shelf.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT, NO_BREAK,
     NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 2.49e+10, .mu = 1.28e+10, .alpha1 = 1e-06, .alpha2 = 50.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.08f, 0.25f, 0.55f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-shelf-aluminium",
     .info = {"Aluminium shelf.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT,
     NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 4.98e+10, .mu = 2.56e+10, .alpha1 = 1e-07, .alpha2 = 0.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.8f, 0.81f, 0.82f}, .roughness = 0.3f, .metallic = 1.0f, .opacity = 1.0f},
    {.name = "s4-shelf-wood",
     .info = {"Wooden shelf.", "S4 table 1", "S4 table 1", "S4 table 1", PAPER_CONTACT, NO_BREAK,
     NO_YIELD, CHOSEN_LOOK},
     .density = 750.0, .lambda = 5e+08, .mu = 1e+08, .alpha1 = 8e-06, .alpha2 = 50.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.36f, 0.19f, 0.08f}, .roughness = 0.55f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-blocks",
     .info = {"Hollow 5 cm blocks, and the 50 cm boxes.", "S4 table 1", "S4 table 1",
     "S4 table 1", PAPER_CONTACT, NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 550.0, .lambda = 5e+08, .mu = 1e+08, .alpha1 = 8e-06, .alpha2 = 50.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.36f, 0.19f, 0.08f}, .roughness = 0.55f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s4-the-end",
     .info = {"Letters of the last scene.", "S4 table 1", "S4 table 1", "S4 table 1",
     PAPER_CONTACT, NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 2700.0, .lambda = 1.49e+09, .mu = 7.7e+08, .alpha1 = 2e-07, .alpha2 = 30.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.7f, 0.12f, 0.08f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},

    // S5 table 1; its C = alpha M + beta K is not printed per body and was chosen
    {.name = "s5-snake",
     .info = {"Soft snake of S5.", "S5 table 1", "S5 table 1",
     "not printed in the paper; chosen", PAPER_CONTACT,
     NO_BREAK, NO_YIELD, CHOSEN_LOOK},
     .density = 1000.0, .young = 100000.0, .poisson = 0.33, .alpha1 = 0.01, .alpha2 = 1.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3,
     .colour = {0.2f, 0.55f, 0.2f}, .roughness = 0.5f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s5-cow",
     .info = {"Wax cow of S5, melts under gravity.", "S5 table 1", "S5 table 1",
     "not printed in the paper; chosen",
     PAPER_CONTACT, NO_BREAK,
     "S5: c_yield .01, c_creep 100 1/s, c_max 10; kept here up to 0.55 (E11)", CHOSEN_LOOK},
     .density = 1000.0, .young = 50000.0, .poisson = 0.33, .alpha1 = 0.01, .alpha2 = 1.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .yield_strain = 0.01,
     .plastic_limit = 0.55,
     .colour = {0.88f, 0.8f, 0.62f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
    {.name = "s5-dragon",
     .info = {"Dragon of S5, heated and pulled apart.", "S5 table 1", "S5 table 1",
     "not printed in the paper; chosen",
     PAPER_CONTACT, "S5: fracture stress (row named yield stress)",
     "S5: c_yield .10, c_creep 1 1/s, c_max 1; kept here up to 0.55 (E11)", CHOSEN_LOOK},
     .density = 1000.0, .young = 100000.0, .poisson = 0.33, .alpha1 = 0.01, .alpha2 = 1.0,
     .friction_static = 0.4, .friction_dynamic = 0.3, .bounce = 0.3, .strength = 60000.0,
     .yield_strain = 0.1, .plastic_limit = 0.55,
     .colour = {0.15f, 0.45f, 0.35f}, .roughness = 0.4f, .metallic = 0.0f, .opacity = 1.0f},

    // S7 table 1; the printed unit of E is read as in E44
    {.name = "s7-glass",
     .info = {"Glass of the fracture sound paper.", "S7 table 1", "S7 table 1",
     "not printed in the paper; chosen near the metals and ceramics of S4 table 1",
     PAPER_CONTACT, "S7 table 1 (Gc); strength 45 MPa chosen, the order of handbooks", NO_YIELD,
     CHOSEN_LOOK},
     .density = 2600.0, .young = 6.2e+10, .poisson = 0.2, .alpha1 = 1e-07, .alpha2 = 5.0,
     .friction_static = 0.3, .friction_dynamic = 0.3, .bounce = 0.4, .strength = 4.5e+07,
     .Gc = 80.0,
     .colour = {0.55f, 0.8f, 0.72f}, .roughness = 0.05f, .metallic = 0.0f, .opacity = 0.35f},
    {.name = "s7-ceramic",
     .info = {"Ceramic of the fracture sound paper.", "S7 table 1", "S7 table 1",
     "not printed in the paper; chosen near the metals and ceramics of S4 table 1",
     PAPER_CONTACT, "S7 table 1 (Gc); strength 60 MPa chosen, the order of handbooks", NO_YIELD,
     CHOSEN_LOOK},
     .density = 2700.0, .young = 7.2e+10, .poisson = 0.19, .alpha1 = 5e-07, .alpha2 = 10.0,
     .friction_static = 0.3, .friction_dynamic = 0.3, .bounce = 0.3, .strength = 6e+07,
     .Gc = 200.0,
     .colour = {0.75f, 0.68f, 0.58f}, .roughness = 0.35f, .metallic = 0.0f, .opacity = 1.0f},
};
// clang-format on

static const Row *find_row(const char *name) {
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (!strcmp(rows[k].name, name)) return &rows[k];
    return NULL;
}

static void set_damping(const Row *row, FrMaterial *m) {
    m->alpha1 = row->alpha1;
    m->alpha2 = row->alpha2;
    if (row->loss > 0.0) {
        m->eta = 0.5 * row->loss;
        m->alpha1 = 0.5 * row->loss / (2.0 * FR_PI * row->loss_hz);
    }
}

static void set_elasticity(const Row *row, FrMaterial *m) {
    if (row->wood)
        fr_material_set_orthotropic(m, row->wood);
    else if (row->young > 0.0)
        fr_material_set_young(m, row->young, row->poisson);
    else {
        m->lambda = row->lambda;
        m->mu = row->mu;
        m->phi = m->alpha1 * m->lambda;
        m->psi = m->alpha1 * m->mu;
    }
    if (row->psi > 0.0) {
        // printed phi, psi; alpha1 is what a pressure wave feels
        m->phi = row->phi;
        m->psi = row->psi;
        m->alpha1 = (row->phi + 2.0 * row->psi) / (m->lambda + 2.0 * m->mu);
    }
}

static void set_limits(const Row *row, FrMaterial *m) {
    m->friction_static = row->friction_static;
    m->friction_dynamic = row->friction_dynamic;
    m->restitution = row->bounce;
    m->strength = row->strength;
    m->Gc = row->Gc;
    m->tau = row->tau;
    m->yield_strain = row->yield_strain;
    // |dev E| of a bar that begins to yield: sqrt(2/3) s / (2 mu)
    if (row->yield_stress > 0.0)
        m->yield_strain = 0.81649658092772603 * row->yield_stress / (2.0 * m->mu);
    m->plastic_limit = row->plastic_limit;
    m->crack_alpha = row->crack_alpha;
}

bool fr_material_find(const char *name, FrMaterial *m) {
    if (!(name && m)) return false;

    const Row *row = find_row(name);
    if (!row) return false;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", row->name);
    m->density = row->density;
    set_damping(row, m);
    set_elasticity(row, m);
    if (row->tone_loss > 0.0) { // phi and psi are set
        m->eta = row->tone_loss;
        m->alpha1 = 0.0;
    }
    set_limits(row, m);
    memcpy(m->colour, row->colour, sizeof m->colour);
    m->roughness = row->roughness;
    m->metallic = row->metallic;
    m->opacity = row->opacity;
    return true;
}

bool fr_material_info(const char *name, FrMaterialInfo *info) {
    if (!(name && info)) return false;

    const Row *row = find_row(name);
    if (!row) return false;
    *info = row->info;
    return true;
}

int32_t fr_material_count(void) { return (int32_t)(sizeof rows / sizeof rows[0]); }

const char *fr_material_name(int32_t k) {
    return k >= 0 && k < fr_material_count() ? rows[k].name : NULL;
}
