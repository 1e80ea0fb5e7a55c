# Thin front to CMake. `make demo` and `make test` do everything, the install of packages included.
BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_ARGS ?=
PREFIX ?= /usr/local

.PHONY: all deps configure demo play test test-long lint bench sanitize install clean format

all: configure
	@cmake --build $(BUILD) -j $(JOBS)

deps:
	@sh tools/deps.sh

# once, and again whenever CMAKE_ARGS says something new
export CMAKE_ARGS
configure: deps
	@if [ ! -f $(BUILD)/CMakeCache.txt ]; then first=-DCMAKE_BUILD_TYPE=Release; \
	elif [ -z "$$CMAKE_ARGS" ] || [ "$$CMAKE_ARGS" = "$$(cat $(BUILD)/cmake-args 2> /dev/null)" ]; then exit 0; fi; \
	cmake -S . -B $(BUILD) $$first $(CMAKE_ARGS) > /dev/null && printf '%s\n' "$$CMAKE_ARGS" > $(BUILD)/cmake-args

# notes and warnings as they come, the three lines that say what was made at the end
demo: configure
	@cmake --build $(BUILD) -j $(JOBS) --target fracas-program
	@: > $(BUILD)/demo.txt; for scene in hello ringing mug; do \
	$(BUILD)/fracas run scenes/$$scene.lua -o out/$$scene >> $(BUILD)/demo.txt || exit; done; cat $(BUILD)/demo.txt

# a window; SCENE=scenes/mug.lua: not the list of scenes
play: configure
	@cmake --build $(BUILD) -j $(JOBS) --target fracas-view fracas-program
	@$(BUILD)/fracas view $(SCENE)

test: all
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE long

test-long: all
	@sh tools/deps.sh calculix-ccx
	@sh tools/test-long.sh $(BUILD)

lint: deps
	@sh tools/lint.sh

bench: all
	@sh tools/deps.sh calculix-ccx
	@$(BUILD)/fracas bench

sanitize: deps
	@sh tools/sanitize.sh

install: configure
	@cmake --build $(BUILD) -j $(JOBS) --target fracas fracas-studio fracas-program fracas-view
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-*
