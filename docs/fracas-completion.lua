---@meta
-- The words of Fracas scenes, for editors with the Lua language server: put this file on its
-- library path. Made from the schema table; a test keeps it up to date.

---@class fracas.handle.body
---@class fracas.handle.sphere
---@class fracas.handle.material
---@class fracas.handle.shape
---@class fracas.handle.region

--- kilometre
km = 1000
--- metre
m = 1
--- centimetre
cm = 0.01
--- millimetre
mm = 0.001
--- micrometre
um = 1e-06
--- inch
inch = 0.0254
--- kilogram
kg = 1
--- gram
g = 0.001
--- milligram
mg = 1e-06
--- second
s = 1
--- millisecond
ms = 0.001
--- microsecond
us = 1e-06
--- degree; angles of scenes are in degrees
deg = 1
--- radian, in degrees
rad = 57.29577951308232
--- newton
N = 1
--- kilonewton
kN = 1000
--- pascal
Pa = 1
--- kilopascal
kPa = 1000
--- megapascal
MPa = 1000000
--- gigapascal
GPa = 1000000000
--- bar
bar = 100000
--- atmosphere
atm = 101325
--- joule
J = 1
--- hertz
Hz = 1
--- kilohertz
kHz = 1000

--- What holds for the whole scene.
---@class fracas.scene
---@field name? string Name; by default that of the file. Default: ""
---@field duration? number How long it goes; it ends at the first macro step at or after it. (s) Default: 2
---@field fps? number Recorded frames per second. (1/s) Default: 30
---@field seed? integer Seed of everything random. Give it before math.random. Default: 1
---@field gravity? number[] Gravity. (m/s^2) Default: [0, 0, -9.81]
---@field detail? number 2: cells half as large everywhere. Default: 1
---@field step? fracas.step How time is stepped. Default: {}
---@field contact? fracas.contact How touching things push each other. Default: {}

--- How time is stepped.
---@class fracas.step
---@field dt? number Fixed step; 0: from the stability bound. (s) Default: 0
---@field safety? number Largest part of the stable step that is used. Default: 0.9
---@field method? "symplectic"|"euler"|"taylor" Integrator; euler and taylor are the papers' forms, for paper scenes. Default: "symplectic"
---@field adaptive? boolean Watch the energy; go back and halve the step. Default: true
---@field tolerance? number Relative gain of energy per step that the watch lets pass. Default: 0.0001
---@field damping_limit? number Largest loss factor that strain-rate damping may have at the finest tets. Above it the body's alpha1, phi and psi are lowered, and a note says so: explicit steps would get too short. 1e9: never. Default: 1
---@field rigid_steps? integer Steps of rigid frames within a macro step of 1/240 s or less. Default: 4
---@field sleep? number Rigid frames, and bodies of which only rigid pieces are left, that hardly moved for so long rest until something comes; 0: never. (s) Default: 0.5

--- How touching things push each other.
---@class fracas.contact
---@field stiffness? number Factor on the penalty. Default: 1
---@field damping? number Factor on its damping. Default: 1
---@field criterion? "overlap"|"node" Volumes of overlap, or nodes inside tets. Default: "overlap"
---@field conservative? boolean Push along the gradient of the volume. Default: false
---@field stick_speed? number Sliding slower than this is held by static friction. (m/s) Default: 0.001
---@field rolling? number Lever arm of rolling: so far from its middle a contact carries shards that roll or rock on it. Handbooks have 0.5 mm for hard wheels on hard ground, 0.1 mm for balls in bearings, 1.2 mm for wood on steel. (m) Default: 0.0005

--- A knob of the scene, changed with `--set name=value`; a number given without a unit is in SI (angles in degrees). In JSON, `{"param": name}` stands for its value wherever a value can stand.
---@class fracas.param
---@field name string Name, as in --set name=value.
---@field value number|string|boolean Its value: a number, a number with a unit, a word, true or false.
---@field unit? string A unit of its dimension, like "m/s": `--set` must give that dimension. By default that of the value: `2*m/s` in Lua, "2 m/s" in JSON; "": a plain number; "any": a plain number or one with a compound unit, whichever (a zero made of several unit words has it, since nothing tells its dimension). Default: ""
---@field min? number|string|boolean Least value. Default: null
---@field max? number|string|boolean Largest value. Default: null
---@field choices? (number|string|boolean)[] The values it may have. Default: []
---@field help? string What it is, for people. Default: ""

--- A material of the scene's own: one of the library, changed, or a new one. In Lua it can be used at once as a body's material.
---@class fracas.material
---@field name? string Name, not one of the library's.
---@field base? fracas.handle.material|string Material that gives all values not given here; "": none. Default: ""
---@field density? number Density. (kg/m^3) Default: null
---@field young? number Young's modulus; with poisson, or that of the base. (Pa) Default: null
---@field poisson? number Poisson's ratio; with young. Default: null
---@field lambda? number First Lame constant; with mu. (Pa) Default: null
---@field mu? number Shear modulus; with lambda. (Pa) Default: null
---@field stiffness? (number)[] 36 numbers, rows of the 6x6 matrix: xx yy zz yz zx xy, engineering shears. (Pa) Default: []
---@field alpha1? number Stiffness damping. (s) Default: null
---@field alpha2? number Mass damping. (1/s) Default: null
---@field phi? number Strain-rate damping; alpha1*lambda unless given. (Pa s) Default: null
---@field psi? number Strain-rate damping; alpha1*mu unless given. (Pa s) Default: null
---@field eta? number Loss factor for sound. Default: null
---@field friction_static? number Coulomb friction at rest. Default: null
---@field friction_dynamic? number Coulomb friction when sliding. Default: null
---@field restitution? number How much of the speed a bounce keeps: of rigid bodies, and of the contact of soft ones; a stiff one that bends springs back by itself (contact.damping deadens it). Default: null
---@field strength? number Breaking stress; 0: does not break. (Pa) Default: null
---@field Gc? number Breaking energy: cracks run on where it is met; 0: at the strength alone. (J/m^2) Default: null
---@field tau? number Raw separation threshold, for paper scenes. (N) Default: null
---@field yield_strain? number Elastic limit of the strain deviator; 0: does not yield. Default: null
---@field plastic_limit? number Largest plastic strain; 0.55 where only yield_strain is given, and at most 0.55 without creep. Default: null
---@field creep? number Of model corot: share of the elastic strain that flows per second where it is above yield_strain; 0: what is above it flows at once. (1/s) Default: null
---@field conductivity? number Of heat, W/m/K; 0: it stays where it is. Default: null
---@field heat_capacity? number J/kg/K; 0: it does not get warm. Default: null
---@field cooling? number What its surface gives to air of 20 degrees C, W/m^2/K. Default: null
---@field softens? number Of model corot: degrees C from which on warmth makes it soft. Default: null
---@field melts? number Of model corot: degrees C at which it is molten: it has 0.02 of its stiffness, and yields at once; 0: it does not melt. Default: null
---@field crack_alpha? number Residual propagation factor. Default: null
---@field colour? number[] Linear RGB. Default: null
---@field roughness? number For pictures. Default: null
---@field metallic? number For pictures. Default: null
---@field opacity? number For pictures. Default: null
---@field inside? number[] Linear RGB of broken faces; null: a lighter tone of the colour. Default: null

--- An endless plane.
---@class fracas.ground
---@field height? number Height along the normal. (m) Default: 0
---@field normal? number[] Up; any length. Default: [0, 0, 1]
---@field material? fracas.handle.material|string What it is made of. Default: "concrete"
---@field colour? number[] Linear RGB; null: of the material. Default: null

--- A solid that moves. Returns a handle for fix, drive, force, pressure and blast.
---@class fracas.body
---@field name? string Name; body1, body2, ... by default. Default: ""
---@field material fracas.handle.material|string What it is made of.
---@field grain? number[] Where the grain of a wood (the x axis of an anisotropic material) points, in the body's own frame, before turn; any length. The material's axes are turned the shortest way. null: along x. Default: null
---@field model? "auto"|"fem"|"frame"|"shatter"|"modal"|"corot" fem bends, frame is rigid, shatter is rigid until a blow breaks it, modal is rigid and bends by its lowest modes, in a few strokes, corot bends far at any step; auto chooses. Default: "auto"
---@field modes? integer Of the model modal: how many of its lowest modes it has; -1: those that can be seen in the film. Default: -1
---@field turning? boolean Of the model modal: its spin acts on its modes (centrifugal and Coriolis forces), and they on its inertia. For what spins fast; what is fixed in parts does not. Default: false
---@field linear? boolean Of model corot: its tets do not turn. Far bends swell it: for comparison. Default: false
---@field temperature? number Of model corot, where the material gets warm (heat_capacity): at the start, degrees C. Default: 20
---@field shape fracas.handle.shape Its form at rest.
---@field cells? number Edge length of the tets; 0: chosen. (m) Default: 0
---@field mesher? "auto"|"structured"|"scattered"|"stuffing"|"cage" How the tets are made. Structured: a box is a grid, other shapes have rules of their own. Scattered: boxes (across their shortest side) and extrusions have points here and there, no lines that cracks could follow; takes longer to break. Cage: uneven tets that contain all of the shape's surface, which stays closed where model corot tears. Stuffing: any shape. Auto: structured where there is a rule, else stuffing. Default: "auto"
---@field graded? boolean Larger tets inside. Default: false
---@field coarse? boolean The cells that are given stay, though parts thinner than them are lost: otherwise they become smaller, with a note. Default: false
---@field at? number[] Where the origin of the shape goes. (m) Default: [0, 0, 0]
---@field turn? number[] About x, then y, then z (fixed axes), before it is moved. (deg) Default: [0, 0, 0]
---@field velocity? number[] At the start; of a rigid body that is fixed at first, when it is let go. (m/s) Default: [0, 0, 0]
---@field spin? number[] Likewise, about the centre of mass. (deg/s) Default: [0, 0, 0]
---@field fixed? (fracas.fix)[] Parts that stay where they are. Default: []
---@field parts? (fracas.part)[] Parts of other materials. Default: []
---@field crack? fracas.crack How it breaks. Default: {}
---@field weaken? (fracas.weaken)[] Weaker and stronger parts. Default: []
---@field cuts? (fracas.cut)[] Cracks that are there from the start. Default: []
---@field seeds? (number[])[] Of what shatters: places, in the body's own frame, that get pieces of their own when it breaks, in this order, as long as its energy pays for cracks between them. Then chance chooses on. (m) Default: []
---@field self_contact? boolean Can it touch itself? A body that broke always can. Default: false
---@field skin? "auto"|"none"|"shape" What is drawn: the surface of the tets (none), the finer one of the shape, or auto. Default: "auto"
---@field colour? number[] Linear RGB; null: of the material. Default: null
---@field born? number When it comes into the scene, at rest in its form, where and as fast as it is written here. Loads and joints come with it; a joint waits for both of its solids. Times of paths and loads count from the start of the scene all the same. (s) Default: 0
---@field dies? number When it is taken out, with all its pieces, loads and joints; null: never. (s) Default: null
---@field parent? string Name of the body or sphere that it comes from when it is born. Place, turn, velocity and spin then count from the parent's own: with those left as they are, its shape lies in the parent's, and goes on as that part of it moved. A parent that dies at this time is exchanged for its children. Default: ""

--- A part of a body that stays where it is. In Lua: `fix { body, where = ... }`. A rigid body is held as a whole (what shatters breaks between such parts), and sounds as clamped in that part; with "all" it sounds as if free.
---@class fracas.fix
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part. Default: "all"
---@field release? number When it is let go; null: never. (s) Default: null

--- How a body breaks; how strong it is, its material says. The first keys are those to try first; the four groups at the end hold the rest.
---@class fracas.crack
---@field off? boolean true: it never breaks, whatever its material says. Default: false
---@field along_faces? boolean true: no remeshing; cracks follow the faces of the mesh. Default: false
---@field upright? boolean Where a brittle body (it has a strength, no tau, and does not yield) is a wall of one or two tets, cracks stand upright in it: flat tets that bend do not show what pulls across them. A body that is mostly such a wall is a brittle wall: what it leaves open (null) of min_piece, settle, remeshing.snap_distance, remeshing.together and pieces.rigid_piece is chosen for that. Nodes of brittle bodies move onto cracks only where that strains them less than breaking does. false: as in the papers. Default: true
---@field residual? number Share of what exceeds the strength that runs ahead with the crack; null: the material's crack_alpha. More: straighter, faster cracks. Default: null
---@field toughness? number[] Factors on the strength along three axes; what shatters has pieces as much longer along the tougher ones, where the model is asked for. Of fem, cracks turn towards a plane across a small one, part of the way: pulled at an angle a to an axis of toughness k (others 1), the crack's normal is atan(sqrt(k) tan a) from the axis, at 1 / (cos(a)^2 / k + sin(a)^2) of the strength. 0.2 at 30 degrees: 14.5 from the axis, 15.5 from the pull, at a quarter of the strength; 0.01: 3.3 from the axis. {1, 100, 100} turns it as far as {0.01, 1, 1}, without weakening the axis. Default: [1, 1, 1]
---@field cleavage? number[] Turn of those axes, about x, then y, then z (fixed axes), in the body's own frame. (deg) Default: [0, 0, 0]
---@field min_piece? number Least volume of a piece that comes off, in mean tets of the body. null: a prism through a brittle wall, 3 for each layer of tets in it; else, and with dust, 1. Default: null
---@field settle? number When nothing of the body broke for this long, its loose pieces become rigid, and pieces that are supported for good stand still: rubble costs little. The time counts from the last crack that a load opened; a body that is only cut from the start bends and can break. A piece bends again, and may break, when a blow could bring it to its strength (docs/breaking.md); loose pieces of materials that yield do not. A body that cracked but is in one piece becomes rigid, or stands, likewise, and bends again as soon as anything but the ground touches it. Supported pieces of materials that yield rest instead, once they were slower than 10 mm/s (rms) for this long, and bend on when they are struck. The report counts rigid pieces. 0: never. null: about one oscillation of a brittle wall, A^2 / (4 V sqrt(E / density)) with its surface A and volume V; else never. (s) Default: null
---@field criterion? fracas.criterion When nodes fail. Default: {}
---@field remeshing? fracas.remeshing How the mesh follows a crack. Default: {}
---@field pieces? fracas.pieces What becomes of small pieces. Default: {}
---@field cost? fracas.cost What keeps steps long. Default: {}
---@field shatter? fracas.shatter How a blow shatters it (model shatter). Default: {}

--- When nodes of a body fail.
---@class fracas.criterion
---@field elastic_only? boolean true: damping stresses do not count, only elastic ones. Default: false
---@field scan_interval? number Time between scans for failed nodes; 0: every step, at nodes near their limits; null: half of what a pressure wave takes along an edge of the median tet, but no less than twice the stable step. Longer: fewer pieces; which cracks come first depends on it. (s) Default: null

--- How the mesh of a body follows its cracks.
---@class fracas.remeshing
---@field snap_distance? number Cracks this near a node go through it, as a share of the local edge. More: straighter along the mesh, fewer small tets. null: 0.05 of brittle walls (`upright`), else 0.1. Default: null
---@field snap_angle? number Likewise by angle. (deg) Default: 5.7
---@field snap_part? number Where a cut would leave tets that are too flat, it goes through a node within this part of the way that it would have to move. Less: fewer faces of the mesh show, and cracks are not as straight. Default: 0.5
---@field together? number Cuts of edges this near each other, as a share of the edge, give way alike: cracks stand upright in thin walls. null: 0.4 of brittle walls, else 0. Default: null
---@field move? boolean Nodes that a crack goes through move onto its plane, inside and along flat sides: it leaves the faces of the mesh. false: the crack bends through them, as in the papers. Default: true
---@field straight? number How straight cracks run: weight of their own direction against that of the stress ahead of them. 0: they follow the stress alone. Default: 0.8
---@field back_angle? number A crack does not run back along an old one by less than this. (deg) Default: 20
---@field min_height? number Least height of tets that cuts leave, as a share of what it was at the start. Default: 0.3

--- What becomes of small pieces of a body.
---@class fracas.pieces
---@field rigid_piece? number Smaller pieces, in mean tets of the body, move as rigid ones once they are off; null: a patch of two by two cells of a brittle wall, 24 for each layer; else twice `min_piece`, below which nothing can break any more. Default: null
---@field dust_piece? number Pieces smaller than this, in mean tets of the body, leave as dust when they come off; 0: none do. Set `min_piece` lower, or there are no such pieces. Default: 0
---@field dust_mass? number Share of the body's mass that may leave as dust; beyond it small pieces become rigid. The report counts pieces, mass and energy. Default: 0.01

--- What keeps steps long while a body breaks: mass scaling.
---@class fracas.cost
---@field step_floor? number Steps shall not get shorter than this share of the first stable one by cracks: nodes of small tets get more mass for it, half of which is kept for that; the rest keeps steps nearer to 0.75. 0: no floor. Default: 0.4
---@field added_mass? number Share of the body's mass that may be added for the floor; a run that needs more warns. Default: 0.01

--- How a blow shatters a body of the model shatter.
---@class fracas.shatter
---@field eta? number Share of the elastic energy at the break that its cracks may take. Default: 0.8
---@field exponent? number How much smaller pieces are where the energy is dense. 0: alike everywhere. Default: 0.15
---@field style? "stress"|"radial"|"ring"|"splinter" Where cracks run: across the largest tension (stress), out from where it was struck (radial), round that place (ring), along its grain or its longest side (splinter). When it breaks, and how many pieces its energy pays for, stay as they are. Default: "stress"
---@field stretch? number How much cracks keep to their style. 0: round cells, as in the paper. Default: 5
---@field least? number Pieces smaller than a cube with this edge do not break again. null: 3.6 walls of the body that fell apart first. (m) Default: null
---@field dust? number Pieces smaller than a cube with this edge leave as dust, with their mass and momentum: drawn and exported as particles, and silent. 0: none do. (m) Default: 0
---@field release? boolean Energy that the cracks do not take drives the pieces apart and makes them ring. false: contact alone does. Default: true
---@field literal? boolean true: as the paper has it, to compare. The impulse of a blow over a macro step (1/4800 s) is a force on a body at rest, and all that this would store breaks it, though it is more than the blow brought; the bounce is that of `restitution`. Default: false

--- A part of a body that is weaker or stronger. In Lua: `weaken { body, where = ..., by = ... }`.
---@class fracas.weaken
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part. Default: "all"
---@field by? number[]|number Factor on the strength: least and largest, or one number for both. Default: [0.5, 0.5]
---@field size? number Size of the patches between least and largest, by chance (the scene's seed); 0: the least everywhere. (m) Default: 0

--- A crack that is there from the start: a disc, moved along its normal to a node near its middle. All that it covers is cut, other cuts and both walls of a tube included.
---@class fracas.cut
---@field at number[] Its middle, in the body's own frame. (m)
---@field normal number[] Across it; any length.
---@field radius number How far it goes. (m)

--- A rigid ball: falls and rolls, or moves as given.
---@class fracas.sphere
---@field name? string Name; sphere1, sphere2, ... by default. Default: ""
---@field radius? number Radius. (m)
---@field mass? number Mass; 0: from the material. Without a path. (kg) Default: 0
---@field material? fracas.handle.material|string Friction, bounce, looks, and density. Default: "steel"
---@field at? number[] Where its centre is at the start. (m) Default: [0, 0, 0]
---@field velocity? number[] At the start; without a path. (m/s) Default: [0, 0, 0]
---@field spin? number[] At the start; not of a kinematic one, which does not turn. (deg/s) Default: [0, 0, 0]
---@field kinematic? boolean Moves on, whatever it hits, and does not turn. Default: false
---@field path? fracas.place_key[]|number|number[] Where its centre is when; makes it kinematic. Default: []
---@field colour? number[] Linear RGB; null: of the material. Default: null
---@field born? number When it comes into the scene, at rest in its form, where and as fast as it is written here. Loads and joints come with it; a joint waits for both of its solids. Times of paths and loads count from the start of the scene all the same. (s) Default: 0
---@field dies? number When it is taken out, with all its pieces, loads and joints; null: never. (s) Default: null
---@field parent? string Name of the body or sphere that it comes from when it is born. Place, turn, velocity and spin then count from the parent's own: with those left as they are, its shape lies in the parent's, and goes on as that part of it moved. A parent that dies at this time is exchanged for its children. Default: ""

--- A place at a time.
---@class fracas.place_key
---@field t number When. (s)
---@field value number[] Where. (m)

--- A ball joint: a point of one rigid body stays at a point of another. The two do not touch.
---@class fracas.pin
---@field body? fracas.handle.body|fracas.handle.sphere|string What is held: a rigid body or a sphere.
---@field to? fracas.handle.body|fracas.handle.sphere|string What holds it; null: the world. Default: null
---@field at number[] Where, in the world, at the start. (m)
---@field grip? number What of the body is nearer than this cannot vibrate: it sounds as held there; 0: as if free. (m) Default: 0

--- Rigid bodies that turn against each other about one axis. The two do not touch.
---@class fracas.hinge
---@field body? fracas.handle.body|fracas.handle.sphere|string What is held: a rigid body or a sphere.
---@field to? fracas.handle.body|fracas.handle.sphere|string What holds it; null: the world. Default: null
---@field at number[] A point of the axis, in the world, at the start. (m)
---@field axis number[] Along the axis.
---@field grip? number What of the body is nearer to the axis than this cannot vibrate: it sounds as held there; 0: as if free. (m) Default: 0

--- A string: it pulls when taut and hangs loose otherwise. What hangs rings as if free.
---@class fracas.cord
---@field body? fracas.handle.body|fracas.handle.sphere|string What hangs on it: a rigid body or a sphere.
---@field to? fracas.handle.body|fracas.handle.sphere|string What its other end is tied to; null: the world. Default: null
---@field from number[] Its end on the body, in the world, at the start. (m)
---@field till number[] Its other end, in the world, at the start. (m)
---@field length? number Its length; 0: the distance of its ends at the start. (m) Default: 0

--- A force on a part of a body.
---@class fracas.force
---@field body? fracas.handle.body|string On which body.
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part of the body. Default: "all"
---@field value fracas.force_key[]|number|number[] Force in world axes, constant or keyframed; shared by mass over the part.

--- A force at a time.
---@class fracas.force_key
---@field t number When. (s)
---@field value number[] How much. (N)

--- A pressure on the outside of a body.
---@class fracas.pressure
---@field body? fracas.handle.body|string On which body.
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part of the body. Default: "all"
---@field value fracas.key[]|number|number[] Pressure against the outward normal, constant or keyframed.

--- A pressure at a time.
---@class fracas.key
---@field t number When. (s)
---@field value number How much. (Pa)

--- A pressure wave from a point, on surfaces that face it.
---@class fracas.blast
---@field body? fracas.handle.body|string On which body; null: all that bend. Default: null
---@field origin number[] Where it starts. (m)
---@field start? number When it starts. (s) Default: 0
---@field peak number Overpressure of the front. (Pa)
---@field speed? number Speed of the front. (m/s) Default: 343
---@field decay? number Time in which the pressure behind the front falls to 1/e. (s) Default: 0.005
---@field reference? number Distance at which the peak holds, falling as 1/r; 0: the same everywhere. (m) Default: 0

--- A part of a body that moves as given. Several drives of one body take parts that do not overlap.
---@class fracas.drive
---@field body? fracas.handle.body|string Which body.
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part of the body. Default: "all"
---@field path? fracas.pose[]|number|number[] Movement, keyframed. Default: []
---@field velocity? number[] Constant; without a path. (m/s) Default: [0, 0, 0]
---@field spin? number[] Constant; without a path. (deg/s) Default: [0, 0, 0]
---@field about? number[] Point the turning goes about, in the world. (m) Default: [0, 0, 0]
---@field release? number When it is let go; null: never. (s) Default: null

--- A movement at a time.
---@class fracas.pose
---@field t number When. (s)
---@field move? number[] How far from where it was at the start. (m) Default: [0, 0, 0]
---@field turn? number[] About x, then y, then z (fixed axes), around `about`. (deg) Default: [0, 0, 0]

--- The film of the scene.
---@class fracas.film
---@field camera? fracas.camera|"auto" Where it is seen from. Default: {}
---@field size? number[] Width and height in pixels. Default: [1280, 720]
---@field fps? number Frames per second; 0: as recorded. (1/s) Default: 0
---@field show? "surface"|"stress"|"tets"|"separation"|"heat" What is drawn; separation: how near nodes are to breaking; heat: how warm it is. Default: "surface"
---@field slow? fracas.slow A slow repeat; null: none. Default: null
---@field burst? fracas.burst|"auto" What breaks, recorded and shown again in slow motion; null: not. Default: null
---@field spectrogram? boolean Show the sound under the picture. Default: false

--- What things sound like, and to whom.
---@class fracas.sound
---@field listener? number[] Where the ears are; null: where the film is seen from. (m) Default: null
---@field gain? number Decibels on mix and stems alike; at 0 full scale is a peak of 20 Pa. null: 0, or less where that would clip. Default: null
---@field air? "small"|"flat"|"full" Small bodies send low tones weakly; all tones alike; or as the shape has it, in each direction otherwise (full). Default: "small"
---@field pulse? "half-sine"|"gauss" How a blow pushes over time: Hertz's half-sine, or a Gaussian of the same variance, as S4 had them: softer in its highest tones. Default: "half-sine"
---@field microphone? boolean Hear deformable bodies, too: macro steps become 1/96000 s. Default: false
---@field rest? number What has come to rest on something dies away faster by this rate. (1/s) Default: 4

--- Where the film is seen from. "auto" sees all that moves or bends, with what stands near it, and goes along as it falls or rolls; what flies far off may leave the picture. A camera with a position or a target stays where it is.
---@class fracas.camera
---@field position? number[] Where it stands; null: chosen. (m) Default: null
---@field target? number[] Where it looks; null: chosen. (m) Default: null
---@field fov? number Field of view, vertical; null: 35 with a position, 32 without. (deg) Default: null

--- A piece of the film again in slow motion.
---@class fracas.slow
---@field at? "first-impact"|"first-crack"|"time" What is shown again, slowly. Default: "first-impact"
---@field time? number Where at is "time". (s) Default: 0
---@field factor? number How many times slower. Default: 10
---@field lasts? number Seconds of film. (s) Default: 2

--- Frames in quick succession around the moments when things break, beside the ordinary ones. At most most * (length + before) * rate frames, which may be 20000.
---@class fracas.burst
---@field rate? number Frames per second. (1/s) Default: 20000
---@field length? number How long a burst goes on after its first crack. The next one waits for a crack after so long without any. (s) Default: 0.005
---@field before? number How long before the crack it begins. (s) Default: 0.0005
---@field most? integer Bursts at most. Default: 1
---@field slow? number How many times slower the film shows them, after the whole in real time; 0: not. Default: 200

--- A hole of an extrusion.
---@class fracas.hole
---@field outline? (number[])[] Corners {x, y}. (m)

--- A point of a body stays where it is in the world. Of a rigid body, and of one that bends by modes, exactly, among all that touches it; of one that deforms by nodes as well as its steps can follow.
---@class fracas.nail
---@field body? fracas.handle.body|fracas.handle.sphere|string What is nailed: any body or sphere.
---@field at number[] Which point of it, by where that is in the world at first. (m)
---@field release? number When it is let go; null: never. (s) Default: null

--- A part of a body that is of another material: stiffer, heavier. Friction and looks are those of the body.
---@class fracas.part
---@field where fracas.handle.region|fracas.handle.shape|"all" Which part.
---@field material fracas.handle.material|string What it is made of.
---@field strain? number[] Plastic strain that it begins with, along the body's x, y and z: it begins under stress, and springs. The three add up to 0; together no more than the material's yield_strain and plastic_limit, or they would flow back. Of fem bodies. Default: [0, 0, 0]
---@field bond? number Factor on the strength where it meets other parts: of tets that have a face there. Of two parts the weaker bond counts: mortar between bricks, the glue of a handle. Default: 1

--- A point of a body goes where it is told, by whatever force it takes. Exact as a nail is.
---@class fracas.drag
---@field body? fracas.handle.body|fracas.handle.sphere|string What is dragged: any body or sphere.
---@field at number[] Which point of it, by where that is in the world at first. (m)
---@field path? fracas.place_key[]|number|number[] Where the point is when, keyframed. Default: []
---@field velocity? number[] Instead of a path, of bodies with a rigid frame: the point moves with it. (m/s) Default: null
---@field acceleration? number[] Likewise: it is accelerated by it. (m/s^2) Default: null
---@field by? (fracas.spot)[] Of bodies with a rigid frame: places where the forces act that make the point do so; at the point itself if there are none. Default: []
---@field release? number When it is let go; null: never. (s) Default: null

--- A place at which forces act.
---@class fracas.spot
---@field at number[] Where, in the world, at the start. (m)

--- A damped spring pulls a point of a body to a place.
---@class fracas.grab
---@field body? fracas.handle.body|fracas.handle.sphere|string What is grabbed: any body or sphere.
---@field at number[] Which point of it, by where that is in the world at first. (m)
---@field path? fracas.place_key[]|number|number[] Where the other end of the spring is when, keyframed; where the point is at first if there is none. Default: []
---@field stiffness? number Of the spring. (N/m) Default: 100
---@field damping? number Against the velocity of the point. (N s/m) Default: 10
---@field most? number It never pulls harder; null: as hard as it takes. (N) Default: null
---@field release? number When it is let go; null: never. (s) Default: null

--- Heat into a part of a body.
---@class fracas.heat
---@field body? fracas.handle.body|string Which body: of model corot, of a material with heat_capacity.
---@field where? fracas.handle.region|fracas.handle.shape|"all" Which part of the body. Default: "all"
---@field power fracas.power_key[]|number|number[] W in all, constant or keyframed; shared by mass over the part. Below 0 it cools.

--- A power at a time.
---@class fracas.power_key
---@field t number When. (s)
---@field value number How much, W.

--- A box, centred.
---@class fracas.box
---@field size? number[] Edge lengths along x, y, z. (m)
---@field round? number Radius of the edges. (m) Default: 0

--- A box, centred.
--- ```lua
--- box { 20*cm, 10*cm, 4*cm, round = 5*mm }
--- ```
---@param def fracas.box|number|string|any[]
---@return fracas.handle.shape
function box(def) end

--- A ball as a solid of tets; see `sphere` for a rigid one.
---@class fracas.ball
---@field radius? number Radius. (m)

--- A ball as a solid of tets; see `sphere` for a rigid one.
--- ```lua
--- ball(5*cm)
--- ```
---@param def fracas.ball|number|string|any[]
---@return fracas.handle.shape
function ball(def) end

--- An ellipsoid.
---@class fracas.ellipsoid
---@field radii? number[] Half axes along x, y, z. (m)

--- An ellipsoid.
--- ```lua
--- ellipsoid { 6*cm, 4*cm, 3*cm }
--- ```
---@param def fracas.ellipsoid|number|string|any[]
---@return fracas.handle.shape
function ellipsoid(def) end

--- A cylinder about z, centred.
---@class fracas.cylinder
---@field radius number Radius. (m)
---@field height number Height along z. (m)
---@field round? number Radius of the edges. (m) Default: 0

--- A cylinder about z, centred.
--- ```lua
--- cylinder { radius = 3*cm, height = 10*cm }
--- ```
---@param def fracas.cylinder
---@return fracas.handle.shape
function cylinder(def) end

--- A tube about z, centred, open at both ends.
---@class fracas.tube
---@field radius number Outer radius. (m)
---@field wall number Wall thickness. (m)
---@field height number Height along z. (m)

--- A tube about z, centred, open at both ends.
--- ```lua
--- tube { radius = 3*cm, wall = 4*mm, height = 40*cm }
--- ```
---@param def fracas.tube
---@return fracas.handle.shape
function tube(def) end

--- A cone, or a frustum, about z, centred.
---@class fracas.cone
---@field radius number Radius at the bottom. (m)
---@field top? number Radius at the top. (m) Default: 0
---@field height number Height along z. (m)

--- A cone, or a frustum, about z, centred.
--- ```lua
--- cone { radius = 5*cm, height = 12*cm }
--- ```
---@param def fracas.cone
---@return fracas.handle.shape
function cone(def) end

--- A ring about z.
---@class fracas.torus
---@field radius number Radius of the ring's middle line. (m)
---@field thickness number Radius of the ring's section. (m)

--- A ring about z.
--- ```lua
--- torus { radius = 6*cm, thickness = 15*mm }
--- ```
---@param def fracas.torus
---@return fracas.handle.shape
function torus(def) end

--- A line turned about z: bowls, cups, bells, wheels.
---@class fracas.lathe
---@field profile? (number[])[] Points {radius, z}, from one end. (m)
---@field wall? number Wall thickness around the line; 0: a solid between line and axis. (m) Default: 0

--- A line turned about z: bowls, cups, bells, wheels.
--- ```lua
--- lathe { {0, 0}, {4*cm, 0}, {9*cm, 2*cm}, {13*cm, 8*cm}, wall = 4*mm }
--- ```
---@param def fracas.lathe|number|string|any[]
---@return fracas.handle.shape
function lathe(def) end

--- An outline in the xy plane, pulled along z, centred in z.
---@class fracas.extrude
---@field outline? (number[])[] Corners {x, y}, either way round. (m)
---@field holes? (fracas.hole)[] Outlines cut out. Default: []
---@field height number Height along z. (m)

--- An outline in the xy plane, pulled along z, centred in z.
--- ```lua
--- extrude { {0, 0}, {10*cm, 0}, {0, 10*cm}, height = 3*cm }
--- ```
---@param def fracas.extrude|number|string|any[]
---@return fracas.handle.shape
function extrude(def) end

--- Letters, lying in the xy plane, centred.
---@class fracas.text
---@field text? string Letters A-Z a-z, digits, spaces.
---@field size? number Height of a capital. (m) Default: 0.1
---@field height? number Thickness along z. (m) Default: 0.03
---@field round? number Radius of the edges of the faces. (m) Default: 0

--- Letters, lying in the xy plane, centred.
--- ```lua
--- text { "FRACAS", size = 20*cm, height = 5*cm }
--- ```
---@param def fracas.text|number|string|any[]
---@return fracas.handle.shape
function text(def) end

--- All parts together.
---@class fracas.union
---@field parts? (fracas.handle.shape)[] The shapes.
---@field round? number Radius of the fillet where the parts meet. (m) Default: 0

--- All parts together.
--- ```lua
--- union { ball(5*cm), box { 20*cm, 4*cm, 4*cm }, round = 1*cm }
--- ```
---@param def fracas.union|number|string|any[]
---@return fracas.handle.shape
function union(def) end

--- What all parts share.
---@class fracas.intersection
---@field parts? (fracas.handle.shape)[] The shapes.
---@field round? number Radius of the fillet where the parts meet. (m) Default: 0

--- What all parts share.
--- ```lua
--- intersection { ball(5*cm), box { 8*cm, 8*cm, 8*cm } }
--- ```
---@param def fracas.intersection|number|string|any[]
---@return fracas.handle.shape
function intersection(def) end

--- The first part less all the others.
---@class fracas.difference
---@field parts? (fracas.handle.shape)[] The shapes.
---@field round? number Radius of the fillet where the parts meet. (m) Default: 0

--- The first part less all the others.
--- ```lua
--- difference { ball(5*cm), cylinder { radius = 1*cm, height = 12*cm } }
--- ```
---@param def fracas.difference|number|string|any[]
---@return fracas.handle.shape
function difference(def) end

--- A shape made hollow.
---@class fracas.shell
---@field shape? fracas.handle.shape The shape to make hollow.
---@field thickness number Wall thickness, measured inwards; of a surface with large holes (an open bowl), half to each side. (m)

--- A shape made hollow.
--- ```lua
--- shell { ball(5*cm), thickness = 1*cm }
--- ```
---@param def fracas.shell|number|string|any[]
---@return fracas.handle.shape
function shell(def) end

--- A shape somewhere else.
---@class fracas.move
---@field shape? fracas.handle.shape The shape to move.
---@field by number[] How far. (m)

--- A shape somewhere else.
--- ```lua
--- move { ball(5*cm), by = {0, 0, 10*cm} }
--- ```
---@param def fracas.move|number|string|any[]
---@return fracas.handle.shape
function move(def) end

--- A shape turned about the origin.
---@class fracas.turn
---@field shape? fracas.handle.shape The shape to turn.
---@field by number[] About x, then y, then z (fixed axes). (deg)

--- A shape turned about the origin.
--- ```lua
--- turn { text "F", by = {90, 0, 0} }
--- ```
---@param def fracas.turn|number|string|any[]
---@return fracas.handle.shape
function turn(def) end

--- A shape made larger or smaller about the origin.
---@class fracas.scale
---@field shape? fracas.handle.shape The shape to scale.
---@field by number Factor, the same along all axes.

--- A shape made larger or smaller about the origin.
--- ```lua
--- scale { surface "../assets/bunny.obj", by = 2 }
--- ```
---@param def fracas.scale|number|string|any[]
---@return fracas.handle.shape
function scale(def) end

--- A triangle surface from an OBJ, PLY or STL file; it need not be perfect.
---@class fracas.surface
---@field file? string Path, relative to the scene.
---@field unit? number Length of one unit of the file: 1*mm for a file in millimetres. (m) Default: 1
---@field up? "z"|"y" Which axis of the file points up. Default: "z"

--- A triangle surface from an OBJ, PLY or STL file; it need not be perfect.
--- ```lua
--- surface { "../assets/bunny.obj", unit = 1*m, up = "z" }
--- ```
---@param def fracas.surface|number|string|any[]
---@return fracas.handle.shape
function surface(def) end

--- A tet mesh from a Gmsh .msh or TetGen .node/.ele file, taken as it is.
---@class fracas.mesh
---@field file? string Path, relative to the scene.
---@field unit? number Length of one unit of the file: 1*mm for a file in millimetres. (m) Default: 1
---@field up? "z"|"y" Which axis of the file points up. Default: "z"

--- A tet mesh from a Gmsh .msh or TetGen .node/.ele file, taken as it is.
--- ```lua
--- mesh "part.msh"
--- ```
---@param def fracas.mesh|number|string|any[]
---@return fracas.handle.shape
function mesh(def) end

--- Everywhere.
---@class fracas.all

--- Everywhere.
--- ```lua
--- "all"
--- ```
---@param def fracas.all
---@return fracas.handle.region
function all(def) end

--- Where every coordinate that is given is below its limit.
---@class fracas.below
---@field x? number Limit along x. (m) Default: null
---@field y? number Limit along y. (m) Default: null
---@field z? number Limit along z. (m) Default: null

--- Where every coordinate that is given is below its limit.
--- ```lua
--- below { z = -49*cm }
--- ```
---@param def fracas.below
---@return fracas.handle.region
function below(def) end

--- Where every coordinate that is given is above its limit.
---@class fracas.above
---@field x? number Limit along x. (m) Default: null
---@field y? number Limit along y. (m) Default: null
---@field z? number Limit along z. (m) Default: null

--- Where every coordinate that is given is above its limit.
--- ```lua
--- above { x = 10*cm, z = 0 }
--- ```
---@param def fracas.above
---@return fracas.handle.region
function above(def) end

--- One side of a plane.
---@class fracas.side
---@field point? number[] Point of the plane. (m) Default: [0, 0, 0]
---@field normal? number[] Points to the side that is meant; any length.

--- One side of a plane.
--- ```lua
--- side { {1, 0, 1}, point = {0, 0, 10*cm} }
--- ```
---@param def fracas.side|number|string|any[]
---@return fracas.handle.region
function side(def) end

--- Within a distance of a point.
---@class fracas.near
---@field at? number[] Centre. (m)
---@field radius number How far around it. (m)

--- Within a distance of a point.
--- ```lua
--- near { {0, 0, 0}, radius = 2*cm }
--- ```
---@param def fracas.near|number|string|any[]
---@return fracas.handle.region
function near(def) end

--- Inside a shape. A shape alone (`where = box {...}`) means the same.
---@class fracas.inside
---@field shape? fracas.handle.shape The shape.
---@field margin? number Added around it. (m) Default: 0

--- Inside a shape. A shape alone (`where = box {...}`) means the same.
--- ```lua
--- inside { ball(3*cm), margin = 1*mm }
--- ```
---@param def fracas.inside|number|string|any[]
---@return fracas.handle.region
function inside(def) end

--- What holds for the whole scene.
--- ```lua
--- scene { duration = 1.5*s, seed = 7 }
--- ```
---@param def fracas.scene
function scene(def) end

--- An endless plane.
--- ```lua
--- ground { material = "concrete" }
--- ```
---@param def fracas.ground
function ground(def) end

--- The film of the scene.
--- ```lua
--- film { camera = "auto", size = {1920, 1080} }
--- ```
---@param def fracas.film
function film(def) end

--- What things sound like, and to whom.
--- ```lua
--- sound { listener = {0, -2*m, 1*m}, gain = -6 }
--- ```
---@param def fracas.sound
function sound(def) end

--- A material of the scene's own: one of the library, changed, or a new one. In Lua it can be used at once as a body's material.
--- ```lua
--- local soft = material { "soft", base = "rubber", young = 0.2*MPa, poisson = 0.45 }
--- ```
---@param def fracas.material|number|string|any[]
---@return fracas.handle.material
function material(def) end

--- A solid that moves. Returns a handle for fix, drive, force, pressure and blast.
--- ```lua
--- local bowl = body { name = "bowl", material = "glass", at = {0, 0, 75*cm},
---   shape = ball(5*cm), cells = 8*mm }
--- ```
---@param def fracas.body
---@return fracas.handle.body
function body(def) end

--- A rigid ball: falls and rolls, or moves as given.
--- ```lua
--- sphere { 4*cm, at = {0, 0, 1*m}, material = "steel" }
--- ```
---@param def fracas.sphere|number|string|any[]
---@return fracas.handle.sphere
function sphere(def) end

--- A ball joint: a point of one rigid body stays at a point of another. The two do not touch.
--- ```lua
--- pin { beam, at = {0, 0, 1*m} }
--- ```
---@param def fracas.pin|number|string|any[]
function pin(def) end

--- Rigid bodies that turn against each other about one axis. The two do not touch.
--- ```lua
--- hinge { pane, at = {0, 0, 0}, axis = {0, 0, 1} }
--- ```
---@param def fracas.hinge|number|string|any[]
function hinge(def) end

--- A string: it pulls when taut and hangs loose otherwise. What hangs rings as if free.
--- ```lua
--- cord { bar, from = {0, 0, 1*m}, till = {0, 0, 1.2*m} }
--- ```
---@param def fracas.cord|number|string|any[]
function cord(def) end

--- A point of a body stays where it is in the world. Of a rigid body, and of one that bends by modes, exactly, among all that touches it; of one that deforms by nodes as well as its steps can follow.
--- ```lua
--- nail { beam, at = {0, 0, 1*m}, release = 2*s }
--- ```
---@param def fracas.nail|number|string|any[]
function nail(def) end

--- A point of a body goes where it is told, by whatever force it takes. Exact as a nail is.
--- ```lua
--- drag { beam, at = {0, 0, 1*m}, path = { {0, {0, 0, 1*m}}, {1*s, {0, 0, 1.2*m}} } }
--- ```
---@param def fracas.drag|number|string|any[]
function drag(def) end

--- A damped spring pulls a point of a body to a place.
--- ```lua
--- grab { beam, at = {0, 0, 1*m}, path = { {1*s, {0, 0, 1.5*m}} }, most = 20*N }
--- ```
---@param def fracas.grab|number|string|any[]
function grab(def) end

--- A force on a part of a body.
--- ```lua
--- force { beam, where = above { x = 49*cm }, value = {0, 0, -20*N} }
--- ```
---@param def fracas.force|number|string|any[]
function force(def) end

--- A pressure on the outside of a body.
--- ```lua
--- pressure { pane, where = below { y = 0 }, value = { {0, 0}, {5*ms, 20*kPa} } }
--- ```
---@param def fracas.pressure|number|string|any[]
function pressure(def) end

--- A pressure wave from a point, on surfaces that face it.
--- ```lua
--- blast { origin = {0, -2*m, 1*m}, peak = 3*atm, decay = 4*ms }
--- ```
---@param def fracas.blast|number|string|any[]
function blast(def) end

--- A part of a body that moves as given. Several drives of one body take parts that do not overlap.
--- ```lua
--- drive { bar, where = above { x = 0 }, path = { {0, {0,0,0}}, {1*s, {5*cm, 0, 0}} } }
--- ```
---@param def fracas.drive|number|string|any[]
function drive(def) end

--- Heat into a part of a body.
--- ```lua
--- heat { bar, where = above { z = 1*cm }, power = { {0, 200}, {2*s, 0} } }
--- ```
---@param def fracas.heat|number|string|any[]
function heat(def) end

--- A knob of the scene, changed with --set name=value. Returns its value.
---@generic T
---@param name string
---@param value T
---@param more? {unit?: string, min?: number, max?: number, choices?: T[], help?: string}
---@return T
function param(name, value, more) end

--- Keep a part of a body where it is: fix { body, where = below { z = 0 } }
---@param def fracas.fix
function fix(def) end

--- Make a part of a body weaker or stronger: weaken { body, by = {0.7, 1.3}, size = 2*cm }
---@param def fracas.weaken
function weaken(def) end

--- Run a file of the scene's folder and give what it returns.
---@param file string
---@return any
function include(file) end
