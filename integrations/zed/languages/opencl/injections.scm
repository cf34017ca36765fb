; A macro's replacement is code that no directive has expanded yet.
((preproc_arg) @injection.content
  (#set! injection.language "opencl"))

((comment) @injection.content
  (#set! injection.language "comment"))
