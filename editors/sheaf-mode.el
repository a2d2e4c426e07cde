;;; sheaf-mode.el --- Models in Emacs, with Eglot  -*- lexical-binding: t -*-
;; Load this file in init.el. Eglot starts `sheaf model lsp' when a model is visited.

(require 'eglot)

(defvar sheaf-program "sheaf"
  "The program that serves models.")

(defvar sheaf-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    table))

(define-derived-mode sheaf-mode prog-mode "Sheaf"
  "A model of entities, relations and the patterns that read them."
  (setq-local comment-start "// ")
  (setq-local indent-tabs-mode nil)
  (add-to-list 'eglot-server-programs `(sheaf-mode . (,sheaf-program "model" "lsp"))))

(add-to-list 'auto-mode-alist '("\\.sheaf\\'" . sheaf-mode))
(add-hook 'sheaf-mode-hook #'eglot-ensure)

(provide 'sheaf-mode)
;;; sheaf-mode.el ends here
