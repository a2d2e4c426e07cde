;;; A session of Emacs with Eglot; tests/lsp/run runs it.  -*- lexical-binding: t -*-
(load-file "../../editors/sheaf-mode.el")

(defun expect (is-so message)
  (unless is-so (error "emacs: %s" message)))

(defun expect-soon (message check)
  (let ((end (+ (float-time) 10)))
    (while (and (not (funcall check)) (< (float-time) end))
      (accept-process-output nil 0.05)))
  (expect (funcall check) message))

(setq sheaf-program (getenv "SHEAF_TESTS_PROGRAM"))
(setq eglot-sync-connect 10)

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(find-file (getenv "SHEAF_TESTS_FILE"))
(expect (eq major-mode 'sheaf-mode) "a model is not known by its name")
;; There are no commands in a batch, which eglot-ensure waits for.
(run-hooks 'post-command-hook)
(expect (eglot-current-server) "the server does not start")
(flymake-mode 1)

;; A mistake is shown while it is there.
(defun change (from to)
  (go-to from)
  (delete-char (length from))
  (insert to)
  (eglot--signal-textDocument/didChange)
  (flymake-start))

(change "t: Ticket)" "t: Tickt)")
(expect-soon "no mistake is shown" (lambda () (= 1 (length (flymake-diagnostics)))))
(expect (string-match-p "there is no entity or type named Tickt" (flymake-diagnostic-text (car (flymake-diagnostics))))
        "another mistake")
(change "t: Tickt)" "t: Ticket)")
(expect-soon "the mistake stays" (lambda () (null (flymake-diagnostics))))

;; What is meant.
(go-to "<owner.name>")
(forward-char 2)
(let* ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))
       (place (xref-item-location (car found))))
  (go-to "/ owner")
  (expect (= (xref-location-line place) (line-number-at-pos)) "the definition is elsewhere"))

;; Plans and costs.
(go-to "orgAndUsers(o")
(let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                              (eglot--TextDocumentPositionParams))))
  (expect (string-match-p "1 request" (plist-get (plist-get hover :contents) :value)) "hover tells no cost"))

;; Completion, as Emacs asks for it.
(go-to "$u {")
(forward-char 2)
(insert ".")
(eglot--signal-textDocument/didChange)
(let* ((found (eglot-completion-at-point))
       (offered (all-completions "" (nth 2 found))))
  (expect (member "tickets" (mapcar #'substring-no-properties offered)) "completion offers no ends"))
(delete-char -1)

;; Renaming and laying out.
(go-to "/ owner")
(forward-char 2)
(eglot-rename "holder")
(expect (save-excursion (goto-char (point-min)) (search-forward "<holder.name>" nil t)) "rename does not reach the keys")
(go-to "entity Org")
(insert "   ")
(eglot-format-buffer)
(expect (save-excursion (goto-char (point-min)) (search-forward "\n  entity Org" nil t)) "it is not laid out")
(save-buffer)
(eglot-shutdown (eglot-current-server))
(princ "emacs: passed\n")
