// A field for code in the consoles: with colours, Ctrl+Enter runs it; Tab indents, and after Escape it leaves the field.
import { Editor, type EditorLanguage } from '../../parts/editor';

interface Parts {
  label: string;
  language: EditorLanguage;
  value: string;
  rows: number;
  placeholder?: string;
  onChange: (text: string) => void;
  onRun: () => void;
}

export function CodeArea({ label, language, value, rows, placeholder, onChange, onRun }: Parts) {
  return (
    <div class="code-area" style={{ height: `${rows * 19.5 + 18}px` }} title="Ctrl+Enter runs it; Escape, then Tab leaves the field">
      <Editor label={label} language={language} value={value} onChange={onChange} onRun={onRun} {...(placeholder ? { placeholder } : {})} />
    </div>
  );
}
