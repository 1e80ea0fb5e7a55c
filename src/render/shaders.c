// shaders.c: GLSL 3.30 of the passes: shadow map, geometry, occlusion, blur, bodies, floor, sky.
//
// Only the variants that need it (CLEAR, CUT) discard: without, what is hidden is not shaded.
//
// The order of a frame: depth from the sun; normals and depth from the eye; from those two the
// share of sun and sky that reaches each point (soft shadow, ambient occlusion), blurred without
// crossing edges; then the lit picture with several samples a pixel, tone-mapped.

#include "render/shaders.h"

const char fr_shader_common[] =
    "layout(std140) uniform Scene {\n"
    "    mat4 clip_from_world, light_from_world;\n"
    "    vec4 eye, forward, ray_x, ray_y, sun, light_x, light_y, focus, screen, look;\n"
    "    vec4 floor_colour, planes, box_lo, box_hi, plane[4];\n"
    "};\n"
    // on the far side of another plane nothing is seen
    "bool behind_planes(vec3 p, int own) {\n"
    "    for (int k = 0; k < int(planes.x); k++)\n"
    "        if (k != own && dot(plane[k].xyz, p) < plane[k].w - 1e-4 * focus.w) return true;\n"
    "    return false;\n"
    "}\n"
    "const vec3 sun_colour = vec3(2.30, 2.18, 2.02);\n"
    "const vec3 sky_colour = vec3(0.86, 0.93, 1.04);\n"
    // in units of the exposed picture: the backdrop looks the same over any floor, but for its
    // foot, which is as bright as the floor that is lost in it
    "const vec3 horizon = vec3(0.268, 0.272, 0.276), zenith = vec3(0.060, 0.084, 0.124);\n"
    // what the camera sees where there is nothing
    "vec3 backdrop(vec3 d) {\n"
    "    float h = clamp(d.z + 0.15, 0.0, 1.0);\n" // from a little under the horizon
    "    return mix(zenith, look.w * horizon, 1.0 / (1.0 + h * (2.5 + 42.0 * h))) / look.x;\n"
    "}\n"
    "float fifth(float x) { return x * x * x * x * x; }\n"
    // a film-like curve: soft foot, soft shoulder; a little darker in the corners, a little more
    // colourful
    "vec3 tone(vec3 x, vec2 pixel) {\n"
    "    vec2 q = pixel / screen.xy - 0.5;\n"
    "    x = max(x, 0.0) * look.x * (1.0 - 0.55 * dot(q, q));\n"
    "    x = min(x * (2.4 * x + 0.06) / (x * (2.36 * x + 0.62) + 0.15), 1.0);\n"
    "    return max(mix(vec3(dot(x, vec3(0.2126, 0.7152, 0.0722))), x, 1.12), 0.0);\n"
    "}\n"
    // an ordered half step of the 8-bit output, so that wide gradients show no bands
    "vec3 dithered(vec3 c, vec2 pixel) {\n"
    "    ivec2 q = ivec2(pixel) & 3;\n"
    "    float k = float(((q.x ^ q.y) & 1) * 8 + (q.x & 1) * 4 + (((q.x ^ q.y) >> 1) & 1) * 2\n"
    "                    + (q.x >> 1));\n"
    "    return c + (k / 16.0 - 0.47) / 255.0 * (2.2 * sqrt(max(c, 0.0)) + 0.05);\n"
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

// Clear bodies let light through: one to three texels of every 2 x 2 are holes, which the linear
// filter of the map turns into grey
const char fr_shader_shadow_fragment[] =
    "#ifdef CLEAR\n"
    "uniform float opacity;\n"
    "void main() {\n"
    "    ivec2 q = ivec2(gl_FragCoord.xy) & 1;\n"
    "    if (float((q.x ^ q.y) * 2 + q.x) + 0.5 > 4.0 * opacity) discard;\n"
    "}\n"
    "#else\n"
    "void main() {}\n"
    "#endif\n";

const char fr_shader_geometry_fragment[] =
    "uniform int own_plane;\n"
    "in vec3 world, turned;\n"
    "out vec4 geometry;\n"
    "void main() {\n"
    "#ifdef CUT\n"
    "    if (behind_planes(world, own_plane)) discard;\n"
    "#endif\n"
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
// A software rasteriser runs both sides of a branch but leaves a loop early: counts of taps that
// may be zero are what keeps the empty floor cheap.
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
    "    float width = light_x.w, range = light_y.w, texel = width / look.z;\n"
    "    float facing = dot(n, sun.xyz), over = max(box_hi.z - p.z, 0.0) / max(sun.z, 0.2);\n"
    "    vec3 c = (light_from_world * vec4(p + 1.2 * texel * n, 1.0)).xyz;\n"
    // how the depth of the receiver changes across the map
    "    vec2 slope = clamp(vec2(dot(n, light_x.xyz), dot(n, light_y.xyz))\n"
    "                       / max(facing, 0.05), -4.0, 4.0) / range;\n"
    "    float bias = 1.2 * texel / range, found = 0.0, sum = 0.0, lit = 0.0;\n"
    "    float reach = clamp(sun.w * min(over, c.z * range), 3.0 * texel, 0.10 * width);\n"
    "    bool mapped = all(greaterThan(c.xy, vec2(0.0))) && all(lessThan(c.xy, vec2(1.0)));\n"
    "    int taps = mapped && facing > 0.0 ? 12 : 0;\n"
    "    for (int k = 0; k < taps; k++) {\n"
    "        float r = reach * sqrt((float(k) + 0.5) / 12.0), a = golden * float(k) + turn;\n"
    "        vec2 o = r * vec2(cos(a), sin(a));\n"
    "        float z = textureLod(shadow_depth, c.xy + o / width, 0.0).r;\n"
    "        if (z < c.z + dot(slope, o) - bias) { sum += z; found += 1.0; }\n"
    "    }\n"
    "    float soft = clamp(sun.w * (c.z - sum / max(found, 1.0)) * range, 1.3 * texel,\n"
    "                       0.10 * width);\n"
    "    taps = found > 0.0 ? 16 : 0;\n"
    "    for (int k = 0; k < taps; k++) {\n"
    "        float r = soft * sqrt((float(k) + 0.5) / 16.0), a = golden * float(k) + turn + 1.0;\n"
    "        vec2 o = r * vec2(cos(a), sin(a));\n"
    "        lit += textureLod(shadow, vec3(c.xy + o / width, c.z + dot(slope, o) - bias), 0.0);\n"
    "    }\n"
    "    lit = found > 0.0 ? lit / 16.0 : 1.0;\n"
    "    return lit * smoothstep(0.0, 0.12, facing);\n" // grazing: too flat for the map to tell
    "}\n"
    "float openness(vec3 p, vec3 n, float depth, float turn) {\n"
    "    float radius = look.y;\n"
    "    bool near_bodies = all(greaterThan(p, box_lo.xyz)) && all(lessThan(p, box_hi.xyz));\n"
    "    float pixels = clamp(radius / (depth * length(ray_y.xyz)) * 0.5 * screen.w, 3.0, 90.0);\n"
    "    float sum = 0.0, r2 = radius * radius;\n"
    "    int taps = near_bodies ? 10 : 0;\n"
    "    for (int k = 0; k < taps; k++) {\n"
    "        float r = pixels * sqrt((float(k) + 0.5) / 10.0), a = golden * float(k) + turn;\n"
    "        vec2 at = gl_FragCoord.xy + r * vec2(cos(a), sin(a));\n"
    "        ivec2 q = ivec2(clamp(at, vec2(0.0), screen.zw - 1.0));\n"
    "        float z = texelFetch(geometry, q, 0).w;\n"
    "        vec3 v = place((vec2(q) + 0.5) / screen.zw * 2.0 - 1.0, z) - p;\n"
    "        float d2 = dot(v, v), near = z > 0.0 ? max(1.0 - d2 / r2, 0.0) : 0.0;\n"
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

const char fr_shader_lighting[] =
    // x: open sky, y: sun
    "#ifdef FAST\n" // straight from the shadow map, four taps that the filter makes nine of
    "uniform sampler2DShadow shadow;\n"
    "vec2 received(float depth, int taps, vec3 p, vec3 n) {\n"
    "    float width = light_x.w, range = light_y.w, texel = width / look.z;\n"
    "    if (!gl_FrontFacing) n = -n;\n"
    "    float facing = dot(n, sun.xyz);\n"
    "    vec3 c = (light_from_world * vec4(p + 1.5 * texel * n, 1.0)).xyz;\n"
    "    bool mapped = all(greaterThan(c.xy, vec2(0.0))) && all(lessThan(c.xy, vec2(1.0)));\n"
    "    vec2 slope = clamp(vec2(dot(n, light_x.xyz), dot(n, light_y.xyz))\n"
    "                       / max(facing, 0.05), -4.0, 4.0) / range;\n"
    "    float bias = 1.5 * texel / range, lit = 0.0;\n"
    "    taps = mapped && facing > 0.0 ? taps : 0;\n"
    "    for (int k = 0; k < taps; k++) {\n"
    "        vec2 o = texel * (vec2(k & 1, k >> 1) - 0.5);\n"
    "        lit += textureLod(shadow, vec3(c.xy + o / width, c.z + dot(slope, o) - bias), 0.0);\n"
    "    }\n"
    "    lit = taps > 0 ? lit / float(taps) : 1.0;\n"
    "    float under = 0.5 + 0.5 * clamp(n.z + 1.0, 0.0, 1.0);\n" // little sky below
    "    return vec2(under, lit * smoothstep(0.0, 0.12, facing));\n"
    "}\n"
    "#else\n" // from the neighbours of this depth
    "uniform sampler2D occlusion;\n"
    "vec2 received(float depth, int taps, vec3 p, vec3 n) {\n"
    "    vec2 q = gl_FragCoord.xy * screen.zw / screen.xy - 0.5;\n"
    "    ivec2 base = ivec2(floor(q)), last = ivec2(screen.zw) - 1;\n"
    "    vec2 f = q - floor(q), sum = vec2(0.0);\n"
    "    float total = 0.0, scale = 1.0 / depth;\n"
    "    for (int k = 0; k < taps; k++) {\n"
    "        ivec2 o = ivec2(k & 1, k >> 1);\n"
    "        vec4 s = texelFetch(occlusion, clamp(base + o, ivec2(0), last), 0);\n"
    "        vec2 b = mix(1.0 - f, f, vec2(o));\n"
    "        float w = (b.x * b.y + 0.01) / (0.002 + abs(s.z * scale - 1.0));\n"
    "        sum += w * s.xy;\n"
    "        total += w;\n"
    "    }\n"
    "    return taps > 0 ? sum / total : vec2(1.0);\n"
    "}\n"
    "#endif\n"
    // light that comes down from the sky and up from the floor
    "vec3 ambient(vec3 n) {\n"
    "    vec3 below = floor_colour.w > 0.5 ? 0.95 * floor_colour.rgb : 0.45 * sky_colour;\n"
    "    float t = n.z * 0.5 + 0.5;\n"
    "    return mix(below, sky_colour, t * t * (3.0 - 2.0 * t));\n"
    "}\n"
    "float softbox(vec3 d, vec3 n, vec3 u, vec3 w, vec2 size, float blur) {\n"
    "    float c = dot(d, n);\n"
    "    if (c <= 0.0) return 0.0;\n" // behind the mirror's back
    "    vec2 q = abs(vec2(dot(d, u), dot(d, w))) / max(c, 0.02);\n"
    "    vec2 m = clamp((size + blur - q) / (2.0 * blur), 0.0, 1.0);\n"
    "    return m.x * m.y / (1.0 + blur * blur / (size.x * size.y));\n"
    "}\n"
    // the studio as a mirror sees it: floor, sky, a large lamp overhead, a strip at the side
    "vec3 studio(vec3 d, float rough) {\n"
    "    float edge = 0.04 + 0.5 * rough;\n"
    "    vec3 above = mix(horizon * 1.15, zenith * 1.1, clamp(d.z, 0.0, 1.0)) / look.x;\n"
    "    vec3 below = floor_colour.w > 0.5 ? 2.0 * floor_colour.rgb : 0.7 * horizon / look.x;\n"
    "    vec3 c = mix(below, above, smoothstep(-edge, edge, d.z));\n"
    "    float blur = 0.05 + 0.9 * rough;\n"
    "    c += 3.6 * softbox(d, vec3(-0.4187, -0.2991, 0.8574), vec3(0.5813, -0.8137, 0.0),\n"
    "                       vec3(0.6977, 0.4984, 0.5146), vec2(0.55, 0.38), blur)\n"
    "             * vec3(1.0, 0.97, 0.93);\n"
    "    c += 2.2 * softbox(d, vec3(0.8818, -0.1002, 0.4609), vec3(0.1129, 0.9936, 0.0),\n"
    "                       vec3(-0.4579, 0.0520, 0.8875), vec2(0.55, 0.16), blur)\n"
    "             * vec3(0.90, 0.95, 1.0);\n"
    "    return c;\n"
    "}\n";

const char fr_shader_body_fragment[] =
    "uniform vec4 colour, finish;\n" // rgb, opacity; roughness, metallic, -, refractive index
    "uniform sampler2D map, behind, depths, far_side;\n"
    "in vec3 world, turned;\n"
    "in float amount;\n"
    "out vec4 picture;\n"
    "float microfacets(float nh, float a2) {\n"
    "    float d = nh * nh * (a2 - 1.0) + 1.0;\n"
    "    return a2 / (3.14159265 * d * d);\n"
    "}\n"
    // how much of a surrounding of brightness one a rough surface mirrors: scale and offset of F0
    "vec2 mirrored(float rough, float nv) {\n"
    "    float edge = fifth(1.0 - nv) * (1.0 - rough) * (1.0 - 0.6 * rough);\n"
    "    return vec2(1.0 - 0.45 * rough * (1.0 - 0.4 * nv) - edge, edge);\n"
    "}\n"
    "#if defined(GLASS) && !defined(FAST)\n"
    "float depth_of(vec3 p) { return dot(p - eye.xyz, forward.xyz); }\n"
    "vec2 pixel_of(vec3 p) {\n"
    "    vec4 c = clip_from_world * vec4(p, 1.0);\n"
    "    return (c.xy / c.w * 0.5 + 0.5) * screen.xy;\n"
    "}\n"
    "vec3 place(vec2 pixel, float depth) {\n"
    "    vec2 s = pixel / screen.xy * 2.0 - 1.0;\n"
    "    return eye.xyz + depth * (forward.xyz + s.x * ray_x.xyz + s.y * ray_y.xyz);\n"
    "}\n"
    "ivec2 texel(vec2 pixel, vec2 size) {\n"
    "    return ivec2(clamp(pixel * size / screen.xy, vec2(0.0), size - 1.0));\n"
    "}\n"
    // how far away the opaque things are that this pixel shows
    "float opaque_depth(vec2 pixel) {\n"
    "    float z = texelFetch(depths, texel(pixel, screen.zw), 0).w;\n"
    "    return z > 0.0 ? z : 1e9;\n"
    "}\n"
    // Refraction at two surfaces. The far one is what the far side's picture has where the ray
    // comes to it: a first step out, halved; then its tangent plane there, so that two parallel
    // planes move a ray and do not turn it. False: nothing lies between the two, as in an open
    // skin. `d` becomes 0 where all light is kept inside.
    "bool inside_body(vec3 p, float own) {\n"
    "    float z = texelFetch(far_side, texel(pixel_of(p), screen.xy), 0).w;\n"
    "    return z > own && depth_of(p) < z;\n"
    "}\n"
    "bool cross_body(inout vec3 p, inout vec3 d, vec3 n, out vec3 inner, out vec3 far_n) {\n"
    "    float own = depth_of(p), pixel = 2.0 * own * length(ray_y.xyz) / screen.y;\n"
    "    float chord = texelFetch(far_side, ivec2(gl_FragCoord.xy), 0).w - own;\n"
    "    inner = refract(d, n, 1.0 / finish.w);\n"
    "    if (chord <= 0.0) return false;\n"
    "    float last = 0.0, s = max(0.5 * chord, pixel);\n"
    "    for (int k = 0; k < 14 && inside_body(p + s * inner, own); k++) last = s, s *= 1.5;\n"
    "    for (int k = 0; k < 5; k++) {\n"
    "        float middle = 0.5 * (last + s);\n"
    "        if (inside_body(p + middle * inner, own)) last = middle; else s = middle;\n"
    "    }\n"
    "    vec2 at = pixel_of(p + last * inner);\n"
    "    vec4 b = texelFetch(far_side, texel(at, screen.xy), 0);\n"
    "    float along = dot(inner, b.xyz), flat_s = dot(place(at, b.w) - p, b.xyz) / along;\n"
    "    if (along < -0.02 && flat_s > 0.0) s = min(flat_s, s + chord);\n"
    "    far_n = b.xyz;\n"
    "    p += s * inner;\n"
    "    d = along < -0.02 ? refract(inner, far_n, finish.w) : vec3(0.0);\n"
    "    return true;\n"
    "}\n"
    // how far behind what is seen there, m; what stands in front of the body does not count
    "float beyond(vec3 p, float from) {\n"
    "    float z = opaque_depth(pixel_of(p));\n"
    "    return z > from ? depth_of(p) - 1.0005 * z : 0.0;\n"
    "}\n"
    // The pixel that shows what a ray from p meets: a plane, or what the picture has before it,
    // in steps of a few pixels. Where it goes by behind something, nothing is known of what it
    // meets there: what was last seen stands for that. Outside of the picture: it leaves it.
    "vec2 met_at(vec3 p, vec3 d) {\n"
    "    float far = 40.0 * focus.w + eye.w, z0 = depth_of(p), away = dot(d, forward.xyz);\n"
    "    for (int k = 0; k < int(planes.x); k++) {\n"
    "        float down = -dot(plane[k].xyz, d);\n"
    "        float s = (dot(plane[k].xyz, p) - plane[k].w) / max(down, 1e-6);\n"
    "        if (down > 1e-6 && s > 0.0) far = min(far, s);\n"
    "    }\n"
    "    if (z0 + far * away < 0.1 * z0) far = -0.9 * z0 / away;\n"
    "    float z1 = z0 + far * away, last = 0.0;\n"
    "    vec2 from = pixel_of(p), to = pixel_of(p + far * d), at = to, seen = to, before = to;\n"
    "    float steps = clamp(ceil(distance(from, to) / 4.0), 4.0, 128.0);\n"
    "    for (float k = 1.0; k <= steps; k += 1.0) {\n"
    "        float t = k / steps, s = far * t * z0 / (z1 + t * (z0 - z1));\n" // even on the screen
    "        float most = 1.5 * abs((s - last) * away) + 0.002 * eye.w;\n"
    "        at = pixel_of(p + s * d);\n"
    "        if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, screen.xy))) return at;\n"
    "        float behind_it = beyond(p + s * d, z0);\n"
    "        if (behind_it > 0.0 && behind_it < most) {\n"
    "            for (int i = 0; i < 5; i++) {\n"
    "                float middle = 0.5 * (last + s);\n"
    "                if (beyond(p + middle * d, z0) > 0.0) s = middle; else last = middle;\n"
    "            }\n"
    "            return pixel_of(p + s * d);\n"
    "        }\n"
    "        if (behind_it <= 0.0) before = seen, seen = at;\n"
    "        last = s;\n"
    "    }\n"
    "    return seen == at ? at : before;\n" // off the rim of what hides it
    "}\n"
    // what is seen through the body; beside the picture there is only the studio
    "vec3 through(vec3 p, vec3 v, vec3 n, float rough) {\n"
    "    vec3 own = textureLod(behind, gl_FragCoord.xy / screen.xy, 0.0).rgb;\n"
    "    vec3 d = -v, inner, far_n;\n"
    "    float depth = depth_of(p);\n"
    "    if (finish.w <= 1.0 || !cross_body(p, d, n, inner, far_n)) return own;\n"
    "    bool kept = dot(d, d) < 0.5;\n"
    "    if (kept) d = reflect(inner, far_n);\n"
    "    vec3 beside = tone(studio(d, rough), gl_FragCoord.xy);\n"
    "    if (kept) return beside;\n"
    "    vec2 at = met_at(p, d), rim = min(at, screen.xy - at) / (0.04 * screen.y);\n"
    "    if (opaque_depth(at) < depth) return own;\n" // in front of the body
    "    vec3 c = textureLod(behind, at / screen.xy, 0.0).rgb;\n"
    "    return mix(beside, c, clamp(min(rim.x, rim.y), 0.0, 1.0));\n"
    "}\n"
    "#endif\n"
    "void main() {\n"
    "    vec3 n = normalize(turned), v = normalize(eye.xyz - world), l = sun.xyz;\n"
    "    if (!gl_FrontFacing) n = -n;\n"
    "    float depth = dot(world - eye.xyz, forward.xyz);\n"
    "#ifdef GLASS\n"
    "    vec2 light = vec2(1.0);\n"
    "#else\n"
    "    vec2 light = received(depth, 4, world, normalize(turned));\n"
    "#endif\n"
    "    float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 0.02);\n"
    "#ifdef STRESS\n" // colours stay those of the bar
    "    float at = clamp(amount, 0.0, 1.0) * 255.0 / 256.0 + 1.0 / 512.0;\n"
    "    vec3 c = amount < -0.5 ? vec3(0.42) : texture(map, vec2(at, 0.5)).rgb;\n"
    "    c *= min(0.68 * light.x * (0.78 + 0.22 * n.z) + 0.46 * nl * light.y, 1.05);\n"
    "#else\n"
    "    vec3 base = colour.rgb;\n"
    "    base = clamp(base * amount, 0.0, 1.0);\n"
    "    float rough = clamp(finish.x, 0.06, 1.0), metal = finish.y;\n"
    "    vec3 f0 = mix(vec3(0.04), base, metal), h = normalize(l + v);\n"
    // the sun is not a point: its highlight never gets smaller than its disc
    "    float a = max(rough * rough, 0.02), nh = max(dot(n, h), 0.0);\n"
    "    float k = a * 0.5, see = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));\n"
    "    vec3 f = f0 + (1.0 - f0) * fifth(1.0 - max(dot(h, v), 0.0));\n"
    "    vec3 shine = min(microfacets(nh, a * a) * see * nl, 6.0) * f * sun_colour * light.y;\n"
    "    vec2 e = mirrored(rough, nv);\n"
    "    shine += (f0 * e.x + e.y) * studio(reflect(-v, n), rough) * (0.2 + 0.8 * light.x);\n"
    "    vec3 soft = base * (1.0 - metal) * (sun_colour * nl * light.y + ambient(n) * light.x);\n"
    "    vec3 c = soft * colour.a * colour.a + shine;\n"
    "    float away = max(depth - eye.w - focus.w, 0.0) / (14.0 * focus.w);\n"
    "    c = mix(c, backdrop(-v), away / (1.0 + away));\n"
    "    c = tone(c, gl_FragCoord.xy);\n"
    "#ifdef GLASS\n" // what is behind shines through, bent, tinted, less so at the rim
    "    vec3 tint = (1.0 - colour.a) * mix(vec3(1.0), base, 0.6);\n"
    "    vec3 keeps = (1.0 - e.y - 0.06) * pow(tint, vec3(0.5 + 0.4 / max(nv, 0.3)));\n"
    "#ifdef FAST\n"
    "    picture = vec4(c, clamp(dot(keeps, vec3(1.0 / 3.0)), 0.0, 1.0));\n"
    "    return;\n"
    "#else\n"
    "    c += keeps * through(world, v, n, rough);\n"
    "#endif\n"
    "#endif\n"
    "#endif\n"
    "    picture = vec4(dithered(c, gl_FragCoord.xy), 1.0);\n"
    "}\n";

// the floor: matt, a pool of light around the action, lost in the backdrop far out
const char fr_shader_floor_fragment[] =
    "uniform vec4 colour;\n"
    "uniform int own_plane;\n"
    "in vec3 world, turned;\n"
    "out vec4 picture;\n"
    "void main() {\n"
    "#ifdef CUT\n"
    "    if (behind_planes(world, own_plane)) discard;\n"
    "#endif\n"
    "    vec3 n = turned, v = normalize(eye.xyz - world);\n"
    "    vec3 c = (light_from_world * vec4(world, 1.0)).xyz;\n"
    "    bool mapped = all(greaterThan(c.xy, vec2(0.0))) && all(lessThan(c.xy, vec2(1.0)));\n"
    "    bool near = all(greaterThan(world, box_lo.xyz)) && all(lessThan(world, box_hi.xyz));\n"
    "    vec2 light = received(dot(world - eye.xyz, forward.xyz), mapped || near ? 4 : 0, world, "
    "n);\n"
    "    float nl = max(dot(n, sun.xyz), 0.0), nv = max(dot(n, v), 0.0);\n"
    "    float away = length(world - focus.xyz) / focus.w;\n"
    "    float pool = mix(1.0, 0.62, smoothstep(0.5, 4.5, away));\n"
    "    c = colour.rgb * pool * (sun_colour * nl * light.y + ambient(n) * light.x);\n"
    "    float glance = 0.03 + 0.35 * fifth(1.0 - nv);\n"
    "    c = mix(c, backdrop(reflect(-v, n)) * light.x, glance);\n"
    "    c = mix(c, backdrop(-v), smoothstep(3.0, 13.0, away));\n"
    "    picture = vec4(dithered(tone(c, gl_FragCoord.xy), gl_FragCoord.xy), 1.0);\n"
    "}\n";

const char fr_shader_sky_fragment[] =
    "in vec2 spot;\n"
    "out vec4 picture;\n"
    "void main() {\n"
    "    vec3 d = normalize(forward.xyz + spot.x * ray_x.xyz + spot.y * ray_y.xyz);\n"
    "    picture = vec4(dithered(tone(backdrop(d), gl_FragCoord.xy), gl_FragCoord.xy), 1.0);\n"
    "}\n";
