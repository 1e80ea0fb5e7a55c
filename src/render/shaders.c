// shaders.c: GLSL 3.30 of the passes: shadow map, geometry, occlusion, blur, bodies, floor, sky.
//
// The order of a frame: depth from the sun; normals and depth from the eye; from those two the
// share of sun and sky that reaches each point (soft shadow, ambient occlusion), blurred without
// crossing edges; then the lit picture with several samples a pixel, tone-mapped.

#include "render/shaders.h"

const char fr_shader_common[] =
    "layout(std140) uniform Scene {\n"
    "    mat4 clip_from_world, light_from_world;\n"
    "    vec4 eye, forward, ray_x, ray_y, sun, light_x, light_y, focus, screen, look;\n"
    "    vec4 floor_colour, planes, plane[4];\n"
    "};\n"
    // on the far side of another plane nothing is seen
    "bool behind_planes(vec3 p, int own) {\n"
    "    for (int k = 0; k < int(planes.x); k++)\n"
    "        if (k != own && dot(plane[k].xyz, p) < plane[k].w - 1e-4 * focus.w) return true;\n"
    "    return false;\n"
    "}\n"
    "const vec3 sun_colour = vec3(2.30, 2.18, 2.02);\n"
    "const vec3 sky_colour = vec3(0.86, 0.93, 1.04);\n"
    // in units of the exposed picture: the backdrop looks the same over any floor
    "const vec3 horizon = vec3(0.255, 0.260, 0.268), zenith = vec3(0.075, 0.092, 0.118);\n"
    // what the camera sees where there is nothing
    "vec3 backdrop(vec3 d) {\n"
    "    float h = clamp(d.z, 0.0, 1.0);\n"
    "    return mix(horizon, zenith, 1.0 - exp(-3.4 * h)) / look.x;\n"
    "}\n"
    // a film-like curve: soft foot, soft shoulder
    "vec3 tone(vec3 x) {\n"
    "    x = max(x, 0.0) * look.x;\n"
    "    return clamp(x * (2.4 * x + 0.06) / (x * (2.36 * x + 0.62) + 0.15), 0.0, 1.0);\n"
    "}\n"
    // an ordered half step of the 8-bit output, so that wide gradients show no bands
    "vec3 dithered(vec3 c, vec2 pixel) {\n"
    "    ivec2 q = ivec2(pixel) & 3;\n"
    "    float k = float(((q.x ^ q.y) & 1) * 8 + (q.x & 1) * 4 + (((q.x ^ q.y) >> 1) & 1) * 2\n"
    "                    + (q.x >> 1));\n"
    "    return c + (k / 16.0 - 0.47) / 255.0 * (2.2 * pow(c, vec3(0.5454)) + 0.05);\n"
    "}\n";

const char fr_shader_body_vertex[] = "in vec3 position, normal;\n"
                                     "in float value;\n"
                                     "out vec3 world, turned;\n"
                                     "out float amount;\n"
                                     "void main() {\n"
                                     "    world = position;\n"
                                     "    turned = normal;\n"
                                     "    amount = value;\n"
                                     "    gl_Position = clip_from_world * vec4(position, 1.0);\n"
                                     "}\n";

const char fr_shader_shadow_vertex[] =
    "in vec3 position;\n"
    "void main() {\n"
    "    gl_Position = vec4((light_from_world * vec4(position, 1.0)).xyz * 2.0 - 1.0, 1.0);\n"
    "}\n";

// clear bodies let light through: a screen of holes that the soft filter smooths out
const char fr_shader_shadow_fragment[] = "uniform float opacity;\n"
                                         "void main() {\n"
                                         "    ivec2 q = ivec2(gl_FragCoord.xy) & 3;\n"
                                         "    int k = ((q.x ^ q.y) & 1) * 8 + (q.x & 1) * 4 + "
                                         "(((q.x ^ q.y) >> 1) & 1) * 2 + (q.x >> 1);\n"
                                         "    if ((float(k) + 0.5) / 16.0 > opacity) discard;\n"
                                         "}\n";

const char fr_shader_geometry_fragment[] =
    "uniform int own_plane;\n"
    "in vec3 world, turned;\n"
    "out vec4 geometry;\n"
    "void main() {\n"
    "    if (own_plane >= 0 && behind_planes(world, own_plane)) discard;\n"
    "    vec3 n = normalize(turned);\n"
    "    if (!gl_FrontFacing) n = -n;\n"
    "    geometry = vec4(n, dot(world - eye.xyz, forward.xyz));\n"
    "}\n";

const char fr_shader_screen_vertex[] =
    "out vec2 spot;\n"
    "void main() {\n"
    "    spot = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "    gl_Position = vec4(spot, 1.0, 1.0);\n"
    "}\n";

// Soft shadow: the mean distance of what blocks gives the width of the penumbra (percentage-closer
// soft shadows), taps follow the tilt of the receiver so that it does not shadow itself.
// Occlusion: how much of the hemisphere nearby points take away, by their height over the tangent
// plane and their distance.
const char fr_shader_occlusion_fragment[] =
    "uniform sampler2D geometry, shadow_depth;\n"
    "uniform sampler2DShadow shadow;\n"
    "in vec2 spot;\n"
    "out vec4 result;\n"
    "const float golden = 2.39996323;\n"
    "vec3 place(vec2 at, float depth) {\n"
    "    return eye.xyz + depth * (forward.xyz + at.x * ray_x.xyz + at.y * ray_y.xyz);\n"
    "}\n"
    "float sunlight(vec3 p, vec3 n, float turn) {\n"
    "    if (dot(n, sun.xyz) <= 0.0) return 0.0;\n"
    "    float width = light_x.w, range = light_y.w, texel = width / look.z;\n"
    "    vec3 c = (light_from_world * vec4(p + 1.2 * texel * n, 1.0)).xyz;\n"
    "    if (any(lessThan(c.xy, vec2(0.0))) || any(greaterThan(c.xy, vec2(1.0)))) return 1.0;\n"
    // how the depth of the receiver changes across the map
    "    vec2 slope = clamp(vec2(dot(n, light_x.xyz), dot(n, light_y.xyz))\n"
    "                       / max(dot(n, sun.xyz), 0.05), -4.0, 4.0) / range;\n"
    "    float bias = 1.2 * texel / range;\n"
    "    float reach = clamp(sun.w * c.z * range, 3.0 * texel, 0.10 * width);\n"
    "    float found = 0.0, sum = 0.0;\n"
    "    for (int k = 0; k < 8; k++) {\n"
    "        float r = reach * sqrt((float(k) + 0.5) / 8.0), a = golden * float(k) + turn;\n"
    "        vec2 o = r * vec2(cos(a), sin(a));\n"
    "        float z = textureLod(shadow_depth, c.xy + o / width, 0.0).r;\n"
    "        if (z < c.z + dot(slope, o) - bias) { sum += z; found += 1.0; }\n"
    "    }\n"
    "    if (found < 0.5) return 1.0;\n"
    "    float soft = clamp(sun.w * (c.z - sum / found) * range, 1.3 * texel, 0.10 * width);\n"
    "    float lit = 0.0;\n"
    "    for (int k = 0; k < 12; k++) {\n"
    "        float r = soft * sqrt((float(k) + 0.5) / 12.0), a = golden * float(k) + turn + 1.0;\n"
    "        vec2 o = r * vec2(cos(a), sin(a));\n"
    "        lit += textureLod(shadow, vec3(c.xy + o / width, c.z + dot(slope, o) - bias), 0.0);\n"
    "    }\n"
    "    return lit / 12.0;\n"
    "}\n"
    "float openness(vec3 p, vec3 n, float depth, float turn) {\n"
    "    float radius = look.y;\n"
    "    float pixels = clamp(radius / (depth * length(ray_y.xyz)) * 0.5 * screen.w, 3.0, 90.0);\n"
    "    float sum = 0.0, r2 = radius * radius;\n"
    "    for (int k = 0; k < 10; k++) {\n"
    "        float r = pixels * sqrt((float(k) + 0.5) / 10.0), a = golden * float(k) + turn;\n"
    "        vec2 at = gl_FragCoord.xy + r * vec2(cos(a), sin(a));\n"
    "        ivec2 q = ivec2(clamp(at, vec2(0.0), screen.zw - 1.0));\n"
    "        float z = texelFetch(geometry, q, 0).w;\n"
    "        if (z <= 0.0) continue;\n"
    "        vec3 v = place((vec2(q) + 0.5) / screen.zw * 2.0 - 1.0, z) - p;\n"
    "        float d2 = dot(v, v), near = max(1.0 - d2 / r2, 0.0);\n"
    "        sum += near * near * max(dot(v, n) - 0.0015 * depth, 0.0) / (d2 + 1e-3 * r2);\n"
    "    }\n"
    "    return max(1.0 - 0.34 * radius * sum, 0.0);\n"
    "}\n"
    "void main() {\n"
    "    vec4 g = texelFetch(geometry, ivec2(gl_FragCoord.xy), 0);\n"
    "    if (g.w <= 0.0) { result = vec4(1.0, 1.0, 0.0, 0.0); return; }\n"
    "    vec3 n = normalize(g.xyz), p = place(spot, g.w);\n"
    // sixteen turns in a 4 x 4 pattern: the blur that follows takes in one of each
    "    ivec2 q = ivec2(gl_FragCoord.xy) & 3;\n"
    "    float turn = 0.392699 * float((q.x * 4 + q.y) * 5 & 15);\n"
    "    result = vec4(openness(p, n, g.w, turn), sunlight(p, n, turn), g.w, 0.0);\n"
    "}\n";

const char fr_shader_blur_fragment[] =
    "uniform sampler2D source;\n"
    "uniform ivec2 step;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    ivec2 at = ivec2(gl_FragCoord.xy), last = ivec2(screen.zw) - 1;\n"
    "    vec4 own = texelFetch(source, at, 0);\n"
    "    vec2 sum = own.xy;\n"
    "    float total = 1.0;\n"
    "    for (int k = -2; k <= 2; k++) {\n"
    "        if (k == 0) continue;\n"
    "        vec4 other = texelFetch(source, clamp(at + k * step, ivec2(0), last), 0);\n"
    "        float w = abs(k) == 2 ? 0.5 : 1.0;\n"
    "        w *= abs(other.z - own.z) < 0.02 * own.z ? 1.0 : 0.0;\n"
    "        sum += w * other.xy;\n"
    "        total += w;\n"
    "    }\n"
    "    result = vec4(sum / total, own.z, 0.0);\n"
    "}\n";

// --- the lit picture

#define LIGHTING                                                                                   \
    "uniform sampler2D occlusion;\n" /* x: open sky, y: sun; from the neighbours of this depth */  \
    "vec2 received(float depth) {\n"                                                               \
    "    vec2 q = gl_FragCoord.xy * screen.zw / screen.xy - 0.5;\n"                                \
    "    ivec2 base = ivec2(floor(q)), last = ivec2(screen.zw) - 1;\n"                             \
    "    vec2 f = q - floor(q), sum = vec2(0.0);\n"                                                \
    "    float total = 0.0;\n"                                                                     \
    "    for (int k = 0; k < 4; k++) {\n"                                                          \
    "        ivec2 o = ivec2(k & 1, k >> 1);\n"                                                    \
    "        vec4 s = texelFetch(occlusion, clamp(base + o, ivec2(0), last), 0);\n"                \
    "        vec2 b = mix(1.0 - f, f, vec2(o));\n"                                                 \
    "        float w = (b.x * b.y + 0.01) / (0.002 + abs(s.z - depth) / depth);\n"                 \
    "        sum += w * s.xy;\n"                                                                   \
    "        total += w;\n"                                                                        \
    "    }\n"                                                                                      \
    "    return sum / total;\n"                                                                    \
    "}\n" /* light that comes down from the sky and up from the floor */                           \
    "vec3 ambient(vec3 n) {\n"                                                                     \
    "    vec3 below = floor_colour.w > 0.5 ? 0.95 * floor_colour.rgb : 0.45 * sky_colour;\n"       \
    "    float t = n.z * 0.5 + 0.5;\n"                                                             \
    "    return mix(below, sky_colour, t * t * (3.0 - 2.0 * t));\n"                                \
    "}\n"                                                                                          \
    "float softbox(vec3 d, vec3 n, vec3 u, vec2 size, float blur) {\n"                             \
    "    float c = dot(d, n);\n"                                                                   \
    "    if (c <= 0.02) return 0.0;\n"                                                             \
    "    vec2 q = abs(vec2(dot(d, u), dot(d, cross(n, u)))) / c;\n"                                \
    "    vec2 m = 1.0 - smoothstep(size - blur, size + blur, q);\n"                                \
    "    return m.x * m.y / (1.0 + blur * blur / (size.x * size.y));\n"                            \
    "}\n" /* the studio as a mirror sees it: floor, sky, a large lamp overhead, a strip at the     \
             side */                                                                               \
    "vec3 studio(vec3 d, float rough) {\n"                                                         \
    "    float edge = 0.04 + 0.5 * rough;\n"                                                       \
    "    vec3 above = mix(horizon * 1.15, zenith * 1.1, smoothstep(0.0, 0.9, d.z)) / look.x;\n"    \
    "    vec3 below = floor_colour.w > 0.5 ? 2.0 * floor_colour.rgb : 0.7 * horizon / look.x;\n"   \
    "    vec3 c = mix(below, above, smoothstep(-edge, edge, d.z));\n"                              \
    "    float blur = 0.05 + 0.9 * rough;\n"                                                       \
    "    c += 3.6 * softbox(d, normalize(vec3(-0.42, -0.30, 0.86)), normalize(vec3(0.58, -0.81, "  \
    "0.0)),\n"                                                                                     \
    "                      vec2(0.55, 0.38), blur) * vec3(1.0, 0.97, 0.93);\n"                     \
    "    c += 2.2 * softbox(d, normalize(vec3(0.88, -0.10, 0.46)), vec3(0.113, 0.994, 0.0),\n"     \
    "                      vec2(0.55, 0.16), blur) * vec3(0.90, 0.95, 1.0);\n"                     \
    "    return c;\n"                                                                              \
    "}\n"

const char fr_shader_body_fragment[] = LIGHTING
    "uniform vec4 colour, finish;\n" // rgb, opacity; roughness, metallic, clear
    "uniform sampler2D map;\n"
    "in vec3 world, turned;\n"
    "in float amount;\n"
    "layout(location = 0, index = 0) out vec4 picture;\n"
    "layout(location = 0, index = 1) out vec4 passed;\n"
    "float microfacets(float nh, float a2) {\n"
    "    float d = nh * nh * (a2 - 1.0) + 1.0;\n"
    "    return a2 / (3.14159265 * d * d);\n"
    "}\n"
    // how much of a surrounding of brightness one a rough surface mirrors: scale and offset of F0
    "vec2 mirrored(float rough, float nv) {\n"
    "    float edge = pow(1.0 - nv, 5.0) * (1.0 - rough) * (1.0 - 0.6 * rough);\n"
    "    return vec2(1.0 - 0.45 * rough * (1.0 - 0.4 * nv) - edge, edge);\n"
    "}\n"
    "void main() {\n"
    "    vec3 n = normalize(turned), v = normalize(eye.xyz - world), l = sun.xyz;\n"
    "    if (!gl_FrontFacing) n = -n;\n"
    "    float depth = dot(world - eye.xyz, forward.xyz);\n"
    "    vec2 light = finish.z > 0.5 ? vec2(1.0) : received(depth);\n"
    "    float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 0.02);\n"
    "    passed = vec4(0.0);\n"
    "    if (look.w == 1.0) {\n" // stress: colours stay those of the bar
    "        vec3 base = texture(map, vec2(clamp(amount, 0.0, 1.0) * 255.0 / 256.0 + 1.0 / 512.0,\n"
    "                                      0.5)).rgb;\n"
    "        if (amount < 0.0) base = vec3(0.42);\n" // has no stress
    "        float shade = 0.62 * light.x * (0.75 + 0.25 * n.z) + 0.42 * nl * light.y;\n"
    "        picture = vec4(dithered(base * min(shade, 1.05), gl_FragCoord.xy), 1.0);\n"
    "        return;\n"
    "    }\n"
    "    vec3 base = colour.rgb;\n"
    "    if (look.w == 2.0) base = clamp(base * amount, 0.0, 1.0);\n"
    "    float rough = clamp(finish.x, 0.06, 1.0), metal = finish.y, a = rough * rough;\n"
    "    vec3 f0 = mix(vec3(0.04), base, metal), h = normalize(l + v);\n"
    // the sun is not a point: its highlight never gets smaller than its disc
    "    float ab = max(a, 0.02), a2 = ab * ab, nh = max(dot(n, h), 0.0);\n"
    "    float k = ab * 0.5, see = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));\n"
    "    vec3 f = f0 + (1.0 - f0) * pow(1.0 - max(dot(h, v), 0.0), 5.0);\n"
    "    vec3 shine = min(microfacets(nh, a2) * see * nl, 6.0) * f * sun_colour * light.y;\n"
    "    vec2 e = mirrored(rough, nv);\n"
    "    vec3 around = studio(reflect(-v, n), rough) * mix(1.0, light.x, 0.8);\n"
    "    shine += (f0 * e.x + e.y) * around;\n"
    "    vec3 soft = base * (1.0 - metal) * (sun_colour * nl * light.y + ambient(n) * light.x);\n"
    "    vec3 c = soft * colour.a + shine;\n"
    "    if (finish.z > 0.5) {\n" // glass: what is behind shines through, tinted, less so at the
                                  // rim
    "        vec3 tint = mix(vec3(1.0), base, 0.75);\n"
    "        float path = 1.0 / max(nv, 0.25);\n"
    "        float edge = e.y + 0.04;\n"
    "        passed = vec4((1.0 - edge) * pow((1.0 - colour.a) * tint, vec3(0.6 * path)), 0.0);\n"
    "    }\n"
    "    float far = 1.0 - exp(-max(depth - length(eye.xyz - focus.xyz) - focus.w, 0.0)\n"
    "                          / (14.0 * focus.w));\n"
    "    picture = vec4(dithered(tone(mix(c, backdrop(-v), far)), gl_FragCoord.xy), 1.0);\n"
    "}\n";

// the floor: matt, a pool of light around the action, lost in the backdrop far out
const char fr_shader_floor_fragment[] = LIGHTING
    "uniform vec4 colour;\n"
    "uniform int own_plane;\n"
    "in vec3 world, turned;\n"
    "out vec4 picture;\n"
    "void main() {\n"
    "    if (behind_planes(world, own_plane)) discard;\n"
    "    vec3 n = turned, v = normalize(eye.xyz - world);\n"
    "    vec2 light = received(dot(world - eye.xyz, forward.xyz));\n"
    "    float nl = max(dot(n, sun.xyz), 0.0), nv = max(dot(n, v), 0.0);\n"
    "    float away = length(world - focus.xyz) / focus.w;\n"
    "    float pool = mix(1.0, 0.60, smoothstep(0.6, 5.5, away));\n"
    "    vec3 c = colour.rgb * pool * (sun_colour * nl * light.y + ambient(n) * light.x);\n"
    "    float glance = 0.03 + 0.35 * pow(1.0 - nv, 5.0);\n"
    "    c = mix(c, backdrop(reflect(-v, n)) * light.x, glance);\n"
    "    c = mix(c, backdrop(-v), smoothstep(3.0, 13.0, away));\n"
    "    picture = vec4(dithered(tone(c), gl_FragCoord.xy), 1.0);\n"
    "}\n";

const char fr_shader_sky_fragment[] =
    "in vec2 spot;\n"
    "out vec4 picture;\n"
    "void main() {\n"
    "    vec3 d = normalize(forward.xyz + spot.x * ray_x.xyz + spot.y * ray_y.xyz);\n"
    "    picture = vec4(dithered(tone(backdrop(d)), gl_FragCoord.xy), 1.0);\n"
    "}\n";
