// Items out of the table into a file, and from a file into the table.
import { useState } from 'preact/hooks';
import { forWriters } from '../../parts/roles';
import type { Table } from '../../server/dynamo';
import { ExportDialog } from './export_dialog';
import { ImportDialog } from './import_dialog';

export function MoveMenu({ table, onImported }: { table: Table; onImported: () => void }) {
  const [shown, setShown] = useState<'import' | 'export' | null>(null);
  return (
    <>
      <button {...forWriters()} onClick={() => setShown('import')}>
        Import
      </button>
      <button onClick={() => setShown('export')}>Export</button>
      {shown === 'export' && <ExportDialog table={table} onClose={() => setShown(null)} />}
      {shown === 'import' && <ImportDialog table={table} onClose={() => setShown(null)} onImported={onImported} />}
    </>
  );
}
