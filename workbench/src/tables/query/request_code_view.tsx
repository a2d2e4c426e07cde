// The request to be taken elsewhere.
import { useState } from 'preact/hooks';
import { CodeBox } from '../../parts/code_box';
import { Tabs } from '../../parts/tabs';
import type { BuiltRequest } from './question_request';
import { asCli, asJavaScript, asJson, asPython } from './request_code';

const LANGUAGES = [
  { name: 'json', label: 'JSON' },
  { name: 'cli', label: 'AWS CLI' },
  { name: 'python', label: 'boto3' },
  { name: 'javascript', label: 'JavaScript' },
] as const;
type Language = (typeof LANGUAGES)[number]['name'];

export function RequestCode({ built }: { built: BuiltRequest }) {
  const [language, setLanguage] = useState<Language>('json');
  const endpoint = location.origin;
  const texts: Record<Language, () => string> = {
    json: () => asJson(built),
    cli: () => asCli(built, endpoint),
    python: () => asPython(built, endpoint),
    javascript: () => asJavaScript(built, endpoint),
  };
  return (
    <div class="request-code">
      <Tabs label="The request as" tabs={LANGUAGES} chosen={language} onChoose={setLanguage}>
        <CodeBox text={texts[language]()} label={`The request as ${LANGUAGES.find((each) => each.name === language)!.label}`} />
      </Tabs>
    </div>
  );
}
