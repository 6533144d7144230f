#include "app/offscreen_egl.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include "app/heap.h"
#include "render/gl/load.h"
#include "render/gl/picture_target.h"

namespace bytescope::app {
namespace {

using render::gl::PixelSize;

bool has_extension(EGLDisplay display, std::string_view name) {
  const char* all = eglQueryString(display, EGL_EXTENSIONS);
  return all != nullptr && std::string_view(all).find(name) != std::string_view::npos;
}

template <class Function>
Function extension_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

EGLDisplay platform_display(EGLenum platform, void* native) {
  const auto open = extension_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  return open == nullptr ? EGL_NO_DISPLAY : open(platform, native, nullptr);
}

/// A display and a context on it, both released at the end.
class EglContext {
public:
  EglContext() = default;
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  EglContext(EglContext&&) = delete;
  EglContext& operator=(EglContext&&) = delete;
  ~EglContext() { close(); }

  /// Makes a context current; false, with nothing left behind, when this display has none for us.
  bool open(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
      return false;
    display_ = display;
    if (make_context() &&
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE)
      return true;
    close();
    return false;
  }

private:
  bool make_context() {
    // 0: no kind of surface is asked for, since a framebuffer object takes its place.
    const std::array config_wanted{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                   EGL_NONE};
    const std::array context_wanted{EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE ||
        eglChooseConfig(display_, config_wanted.data(), &config, 1, &count) == EGL_FALSE ||
        count == 0)
      return false;
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, context_wanted.data());
    return context_ != EGL_NO_CONTEXT;
  }

  void close() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
    eglReleaseThread();
    display_ = EGL_NO_DISPLAY;
    context_ = EGL_NO_CONTEXT;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

bool open_on_device(EglContext& context) {
  if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) return false;
  const auto query = extension_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (query == nullptr ||
      query(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE)
    return false;
  for (EGLint i = 0; i < count; ++i) {
    if (context.open(
            platform_display(EGL_PLATFORM_DEVICE_EXT, devices.at(static_cast<std::size_t>(i)))))
      return true;
  }
  return false;
}

bool open_anywhere(EglContext& context) {
  if (has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
      context.open(platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr)))
    return true;
  return open_on_device(context) || context.open(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

class EglOffscreen final : public OffscreenContext {
public:
  Expected<void> open(PixelSize size) {
    if (!open_anywhere(context_)) {
      return failure(ErrorKind::machine,
                     "EGL offers no OpenGL 3.3 context here (is an OpenGL driver, such as "
                     "libgl1-mesa-dri, installed?)");
    }
    if (auto loaded = render::gl::load(eglGetProcAddress); !loaded) return loaded;
    auto target = render::gl::PictureTarget::create(size);
    if (!target) return tl::make_unexpected(target.error());
    target_.emplace(std::move(*target));
    return {};
  }

  PixelSize size() const override { return target_->size(); }
  std::string renderer() const override {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name == nullptr ? std::string() : std::string(name);
  }
  void bind() override { target_->bind(); }
  void finish() override { glFinish(); }
  render::Picture pixels() override { return target_->pixels(); }

private:
  EglContext context_;  // first, so that it outlives the objects in it
  std::optional<render::gl::PictureTarget> target_;
};

}  // namespace

Expected<std::unique_ptr<OffscreenContext>> OffscreenContext::create(PixelSize size) {
  keep_freed_memory();
  auto out = std::make_unique<EglOffscreen>();
  if (auto opened = out->open(size); !opened) return tl::unexpected(opened.error());
  return out;
}

}  // namespace bytescope::app
