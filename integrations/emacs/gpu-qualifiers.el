;;; gpu-qualifiers.el --- Mistakes with GPU memory as you type -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, tools
;; URL: https://github.com/OWNER/gpu-qualifiers
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Registers the language server gpu-qualifiers with eglot and lsp-mode, for CUDA, HIP and OpenCL.

;;; Code:

(defvar eglot-server-programs)
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(defvar lsp-language-id-configuration)

(defgroup gpu-qualifiers nil
  "Mistakes with GPU memory as you type."
  :group 'tools)

(defcustom gpu-qualifiers-command '("gpu-qualifiers-server" "--stdio")
  "The command that starts the language server."
  :type '(repeat string))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons '((cuda-mode :language-id "cuda-cpp") (opencl-c-mode :language-id "opencl"))
                     (lambda (&rest _) gpu-qualifiers-command))))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(cuda-mode . "cuda-cpp"))
  (add-to-list 'lsp-language-id-configuration '(opencl-c-mode . "opencl"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () gpu-qualifiers-command))
                    :major-modes '(cuda-mode opencl-c-mode)
                    ;; It runs beside clangd.
                    :add-on? t
                    :server-id 'gpu-qualifiers)))

(provide 'gpu-qualifiers)
;;; gpu-qualifiers.el ends here
