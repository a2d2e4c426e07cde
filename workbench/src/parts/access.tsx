// The access key that requests are signed with. It is kept until the tab is closed, and sent to nobody.
import { useState } from 'preact/hooks';
import { accessKey, declineKey, isAskedFor, useKey } from '../server/session';
import { known } from '../server/workbench';
import { Dialog } from './dialog';
import { Icon } from './icon';

export function KeyButton() {
  const key = accessKey.value;
  const role = key && known.value?.mode === 'credentials' ? known.value.role : null;
  const who = key ? key.id.slice(0, 14) + (role ? ` · ${role}` : '') : 'Access key';
  return (
    <button class="plain" aria-label={who} onClick={() => (isAskedFor.value = '')} title={key ? `Signed in as ${key.id}${role === 'readonly' ? ', who may only read' : ''}` : 'No access key'}>
      <Icon name="key" /> <span class="who">{who}</span>
    </button>
  );
}

export function KeyDialog() {
  const reason = isAskedFor.value;
  const [id, setId] = useState(accessKey.value?.id ?? '');
  const [secret, setSecret] = useState('');
  if (reason === null) return null;
  return (
    <Dialog
      title="Access key"
      onClose={declineKey}
      onSubmit={() => {
        useKey({ id: id.trim(), secret });
        setSecret('');
        location.reload();
      }}
      footer={
        <>
          {accessKey.value && (
            <button
              type="button"
              onClick={() => {
                useKey(null);
                location.reload();
              }}
            >
              Forget it
            </button>
          )}
          <button class="primary" disabled={id.trim() === '' || secret === ''}>
            Use it
          </button>
        </>
      }
    >
      {reason && <div class="box note">{reason}</div>}
      <p class="soft">Requests are signed with it, here in the browser. You can do what its role allows, and no more. A server in development mode takes any.</p>
      <label class="field">
        Access key id
        <input value={id} onInput={(event) => setId(event.currentTarget.value)} autocomplete="username" />
      </label>
      <label class="field">
        Secret access key
        <input type="password" value={secret} onInput={(event) => setSecret(event.currentTarget.value)} autocomplete="current-password" />
      </label>
    </Dialog>
  );
}
