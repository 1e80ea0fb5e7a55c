// ui.cpp: Dear ImGui behind a C face: fed from SDL's events, drawn by OpenGL, in a look of its own.

#include "ui.h"
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <stdio.h>

static UiStyle style_now;
static bool restyle;
static ImFont *strong;
static char clipboard[4096];

// the first of these that is there: Debian's fonts-inter, fonts-dejavu-core
static ImFont *find_font(const char *own, bool bold, float size) {
    static const char *const files[][2] = {
        {"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
         "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf"},
        {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
         "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"}};
    ImFontConfig config;
    config.OversampleH = 3;
    config.OversampleV = 2;
    ImFontAtlas *fonts = ImGui::GetIO().Fonts;
    for (int k = own ? -1 : 0; k < 2; k++) {
        const char *path = k < 0 ? own : files[k][bold];
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        fclose(file);
        return fonts->AddFontFromFileTTF(path, size, &config);
    }
    config.SizePixels = size;
    return fonts->AddFontDefault(&config);
}

static ImVec4 mix(const ImVec4 &a, const ImVec4 &b, float t, float alpha) {
    return ImVec4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), alpha);
}

// two greys, letters, and the accent: all else is between them
static void set_colours(ImGuiStyle &s) {
    bool light = style_now.light;
    ImVec4 paper = light ? ImVec4(0.97f, 0.97f, 0.96f, 1) : ImVec4(0.075f, 0.08f, 0.09f, 1);
    ImVec4 ink = light ? ImVec4(0.10f, 0.11f, 0.12f, 1) : ImVec4(0.93f, 0.94f, 0.95f, 1);
    ImVec4 accent(style_now.accent[0], style_now.accent[1], style_now.accent[2], 1);
    if (light) accent = mix(accent, ImVec4(0, 0, 0, 1), 0.22f, 1);
    for (int k = 0; k < ImGuiCol_COUNT; k++) s.Colors[k] = mix(paper, ink, 0.10f, 1);
    s.Colors[ImGuiCol_Text] = ink;
    s.Colors[ImGuiCol_TextDisabled] = mix(paper, ink, 0.62f, 1);
    s.Colors[ImGuiCol_WindowBg] = mix(paper, ink, 0, 0.90f);
    s.Colors[ImGuiCol_PopupBg] = mix(paper, ink, 0.05f, 0.98f);
    s.Colors[ImGuiCol_Border] = mix(paper, ink, 0.5f, 0.22f);
    s.Colors[ImGuiCol_Separator] = mix(paper, ink, 0.5f, 0.3f);
    s.Colors[ImGuiCol_FrameBgHovered] = mix(paper, ink, 0.16f, 1);
    s.Colors[ImGuiCol_FrameBgActive] = mix(paper, ink, 0.20f, 1);
    s.Colors[ImGuiCol_ButtonHovered] = mix(paper, ink, 0.20f, 1);
    s.Colors[ImGuiCol_ButtonActive] = mix(paper, accent, 0.6f, 1);
    s.Colors[ImGuiCol_Header] = s.Colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    s.Colors[ImGuiCol_BorderShadow] = ImVec4(0, 0, 0, 0);
    s.Colors[ImGuiCol_HeaderHovered] = mix(paper, ink, 0.12f, 1);
    s.Colors[ImGuiCol_HeaderActive] = mix(paper, ink, 0.18f, 1);
    s.Colors[ImGuiCol_ScrollbarGrab] = mix(paper, ink, 0.25f, 1);
    s.Colors[ImGuiCol_CheckMark] = s.Colors[ImGuiCol_PlotLines] = accent;
    s.Colors[ImGuiCol_SliderGrab] = mix(paper, accent, 0.85f, 1);
    s.Colors[ImGuiCol_SliderGrabActive] = s.Colors[ImGuiCol_NavHighlight] = accent;
    s.Colors[ImGuiCol_PlotLinesHovered] = s.Colors[ImGuiCol_PlotHistogram] = accent;
    s.Colors[ImGuiCol_TextSelectedBg] = mix(paper, accent, 0.4f, 1);
}

static void set_style() {
    ImGuiStyle s;
    s.WindowRounding = 8, s.FrameRounding = 5, s.PopupRounding = 6, s.GrabRounding = 4;
    s.ScrollbarRounding = 6, s.ScrollbarSize = 9, s.WindowBorderSize = 1, s.FrameBorderSize = 0;
    s.WindowPadding = ImVec2(12, 10), s.FramePadding = ImVec2(8, 4), s.ItemSpacing = ImVec2(8, 6);
    s.ItemInnerSpacing = ImVec2(7, 4), s.GrabMinSize = 12, s.WindowMinSize = ImVec2(8, 8);
    set_colours(s);
    s.ScaleAllSizes(style_now.scale);
    ImGui::GetStyle() = s;
    ImGuiIO &io = ImGui::GetIO();
    io.Fonts->Clear();
    float size = (float)(int)(15.5f * style_now.scale + 0.5f);
    io.FontDefault = find_font(style_now.fonts, false, size);
    strong = find_font(style_now.fonts, true, size);
}

static const char *get_clipboard(void *) {
    char *text = SDL_GetClipboardText();
    snprintf(clipboard, sizeof clipboard, "%s", text ? text : "");
    SDL_free(text);
    return clipboard;
}
static void set_clipboard(void *, const char *text) { SDL_SetClipboardText(text); }

bool ui_open(const UiStyle *style) {
    style_now = *style;
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.GetClipboardTextFn = get_clipboard;
    io.SetClipboardTextFn = set_clipboard;
    static const int keys[][2] = {{ImGuiKey_Tab, SDL_SCANCODE_TAB},
                                  {ImGuiKey_LeftArrow, SDL_SCANCODE_LEFT},
                                  {ImGuiKey_RightArrow, SDL_SCANCODE_RIGHT},
                                  {ImGuiKey_UpArrow, SDL_SCANCODE_UP},
                                  {ImGuiKey_DownArrow, SDL_SCANCODE_DOWN},
                                  {ImGuiKey_Home, SDL_SCANCODE_HOME},
                                  {ImGuiKey_End, SDL_SCANCODE_END},
                                  {ImGuiKey_Delete, SDL_SCANCODE_DELETE},
                                  {ImGuiKey_Backspace, SDL_SCANCODE_BACKSPACE},
                                  {ImGuiKey_Space, SDL_SCANCODE_SPACE},
                                  {ImGuiKey_Enter, SDL_SCANCODE_RETURN},
                                  {ImGuiKey_Escape, SDL_SCANCODE_ESCAPE},
                                  {ImGuiKey_A, SDL_SCANCODE_A},
                                  {ImGuiKey_C, SDL_SCANCODE_C},
                                  {ImGuiKey_V, SDL_SCANCODE_V},
                                  {ImGuiKey_X, SDL_SCANCODE_X}};
    for (auto &key : keys) io.KeyMap[key[0]] = key[1];
    set_style();
    return ImGui_ImplOpenGL3_Init("#version 330 core");
}

void ui_close(void) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

void ui_restyle(const UiStyle *style) { style_now = *style, restyle = true; }

void ui_event(const SDL_Event *e) {
    ImGuiIO &io = ImGui::GetIO();
    switch (e->type) {
    case SDL_MOUSEMOTION:
        io.MousePos = ImVec2((float)e->motion.x, (float)e->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        io.MousePos = ImVec2((float)e->button.x, (float)e->button.y);
        if (e->button.button >= 1 && e->button.button <= 3) {
            static const int which[] = {0, 2, 1}; // SDL: left, middle, right
            io.MouseDown[which[e->button.button - 1]] = e->type == SDL_MOUSEBUTTONDOWN;
        }
        break;
    case SDL_MOUSEWHEEL:
        io.MouseWheel += (float)e->wheel.y;
        break;
    case SDL_TEXTINPUT:
        io.AddInputCharactersUTF8(e->text.text);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        // Space, Enter, arrows are the scene's, but in fields and after Ctrl+Tab
        if (e->type == SDL_KEYDOWN && !io.WantTextInput && !io.NavVisible &&
            e->key.keysym.sym != SDLK_TAB && !(e->key.keysym.mod & KMOD_CTRL))
            break;
        if (e->key.keysym.scancode >= 0 && e->key.keysym.scancode < 512)
            io.KeysDown[e->key.keysym.scancode] = e->type == SDL_KEYDOWN;
        io.KeyShift = (e->key.keysym.mod & KMOD_SHIFT) != 0;
        io.KeyCtrl = (e->key.keysym.mod & KMOD_CTRL) != 0;
        io.KeyAlt = (e->key.keysym.mod & KMOD_ALT) != 0;
        break;
    }
}

bool ui_has_mouse(void) { return ImGui::GetIO().WantCaptureMouse; }
bool ui_has_text(void) { return ImGui::GetIO().WantTextInput; }
bool ui_has_keys(void) { return ImGui::GetIO().NavVisible; }

void ui_begin(int width, int height, double seconds) {
    ImGuiIO &io = ImGui::GetIO();
    if (restyle) ImGui_ImplOpenGL3_DestroyFontsTexture(), set_style(), restyle = false;
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DeltaTime = seconds > 1e-4 ? (float)seconds : 1e-4f;
    ImGui_ImplOpenGL3_NewFrame();
    if (!io.Fonts->TexID) ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::NewFrame();
}

void ui_end(void) {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

float ui_em(void) { return ImGui::GetFontSize(); }

bool ui_panel(const char *name, const float box[4], bool bare) {
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoFocusOnAppearing;
    if (bare) flags |= ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs;
    if (!(box[3] > 0)) flags |= ImGuiWindowFlags_AlwaysAutoResize;
    ImGui::SetNextWindowPos(ImVec2(box[0], box[1]));
    if (box[3] > 0) ImGui::SetNextWindowSize(ImVec2(box[2], box[3]));
    if (!(box[3] > 0) && box[2] > 0)
        ImGui::SetNextWindowSizeConstraints(ImVec2(box[2], 0), ImVec2(box[2], 1e5f));
    return ImGui::Begin(name, nullptr, flags);
}
void ui_panel_end(void) { ImGui::End(); }

bool ui_section(const char *title, bool open) {
    ImGui::PushFont(strong);
    bool is = ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopFont();
    return is;
}

void ui_text(const char *text) {
    ImGui::PushTextWrapPos(0), ImGui::TextUnformatted(text), ImGui::PopTextWrapPos();
}
void ui_dim(const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
    ui_text(text);
    ImGui::PopStyleColor();
}
void ui_strong(const char *text) { ImGui::PushFont(strong), ui_text(text), ImGui::PopFont(); }
void ui_tip(const char *text) {
    if (!text || !*text || !ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(22 * ui_em());
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}
void ui_line(void) { ImGui::Separator(); }
void ui_beside(float gap) { ImGui::SameLine(0, gap * ui_em()); }
void ui_right(float width) {
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width * ui_em());
}
void ui_gap(float height) { ImGui::Dummy(ImVec2(0, height * ui_em())); }

bool ui_button(const char *label, bool on, float width) {
    ImVec4 accent = ImGui::GetStyle().Colors[ImGuiCol_CheckMark];
    if (on) {
        ImGui::PushStyleColor(ImGuiCol_Button, accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, accent);
        bool light = accent.x * 0.3f + accent.y * 0.6f + accent.z * 0.1f > 0.5f;
        ImGui::PushStyleColor(ImGuiCol_Text,
                              light ? ImVec4(0.06f, 0.05f, 0.04f, 1) : ImVec4(1, 1, 1, 1));
    }
    bool pressed = ImGui::Button(label, ImVec2(width > 0 ? width * ui_em() : width, 0));
    if (on) ImGui::PopStyleColor(3);
    return pressed;
}
bool ui_card(unsigned texture, const char *name, float width, float height) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 end(at.x + width * ui_em(), at.y + height * ui_em());
    bool pressed = ImGui::InvisibleButton(name, ImVec2(end.x - at.x, (height + 1.7f) * ui_em()));
    ImU32 ink = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_CheckMark : ImGuiCol_Text);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, ImGui::GetColorU32(ImGuiCol_FrameBg), 5);
    ImTextureID id = (ImTextureID)(intptr_t)texture;
    if (texture) list->AddImageRounded(id, at, end, ImVec2(0, 0), ImVec2(1, 1), ~0u, 5);
    list->AddText(ImVec2(at.x + 0.4f * ui_em(), end.y + 0.2f * ui_em()), ink, name);
    return pressed;
}
bool ui_toggle(const char *label, bool *on) { return ImGui::Checkbox(label, on); }

static int moved(bool now) { return ImGui::IsItemDeactivatedAfterEdit() ? 2 : now ? 1 : 0; }

int ui_slider(const char *label, double *value, const double range[2], const char *text,
              bool wide) {
    char name[96];
    snprintf(name, sizeof name, "##%s", label);
    ImGuiSliderFlags flags = wide ? ImGuiSliderFlags_Logarithmic : 0;
    ImGui::SetNextItemWidth(-10.5f * ui_em());
    int how = moved(ImGui::SliderScalar(name, ImGuiDataType_Double, value, &range[0], &range[1], "",
                                        flags | ImGuiSliderFlags_AlwaysClamp));
    ImGui::SameLine();
    if (label[0] != '#') ImGui::TextUnformatted(label), ImGui::SameLine(0, 0.4f * ui_em());
    ImGui::TextDisabled("%s", text);
    return how;
}
int ui_choice(const char *label, int *chosen, const char *const *name, int count) {
    ImGui::SetNextItemWidth(-10.5f * ui_em());
    return ImGui::Combo(label, chosen, name, count, 14) ? 2 : 0;
}
bool ui_field(const char *label, char *text, int room) {
    ImGui::SetNextItemWidth(-10.5f * ui_em());
    return ImGui::InputText(label, text, (size_t)room, ImGuiInputTextFlags_EnterReturnsTrue);
}
void ui_plot(const char *name, const float *value, int count, int first, float top) {
    ImGui::PlotLines("", value, count, first, name, 0.0f, top > 0 ? top : 1.0f,
                     ImVec2(ImGui::GetContentRegionAvail().x, 3.2f * ui_em()));
}
void ui_scale(void (*colour)(double s, float rgb[3]), const char *low, const char *high) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x, height = 0.7f * ui_em();
    for (int k = 0; k < 64; k++) {
        float rgb[3];
        colour(k / 63.0, rgb);
        ImVec2 a(at.x + width * (float)k / 64, at.y),
            b(at.x + width * (float)(k + 1) / 64 + 1, at.y + height);
        ImGui::GetWindowDrawList()->AddRectFilled(
            a, b, ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], 1)));
    }
    ImGui::Dummy(ImVec2(width, height));
    ui_dim(low);
    ImGui::SameLine(width + ImGui::GetStyle().WindowPadding.x - ImGui::CalcTextSize(high).x);
    ui_dim(high);
}
void ui_copy(const char *text) { SDL_SetClipboardText(text); }
