/** Renders panels of figures and tables as the server does (serve/admin/dashboard/overview-page.ts). */
import type { LivePanel, LiveTable } from '../mod.ts';

export function Panels({ panels }: { panels: readonly LivePanel[] }) {
  return panels.map((panel) => <Panel key={panel.id} panel={panel} />);
}

function Panel({ panel: { id, title, figures, tables, note } }: { panel: LivePanel }) {
  return (
    <section class="card panel" id={`panel-${id}`} aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>{title}</h2>
      {figures.length > 0 && (
        <dl class="figures">
          {figures.map(({ name, value, hint }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {hint !== '' && <small>{hint}</small>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {note !== '' && <p class="soft">{note}</p>}
      {tables.length > 0 && (
        <div class="tables">
          {tables.map((table) => (
            <Table key={table.caption} table={table} />
          ))}
        </div>
      )}
    </section>
  );
}

function Table({ table: { caption, columns, rows, empty } }: { table: LiveTable }) {
  if (rows.length === 0)
    return (
      <div>
        <h3>{caption}</h3>
        <p class="soft">{empty}</p>
      </div>
    );
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name, at) => (
            <th key={name} scope="col" class={at === 0 ? '' : 'number'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells: [name, ...numbers], share }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <svg class="gauge" aria-hidden="true" focusable="false">
                <rect width={`${Math.round(share * 100)}%`} height="100%" rx="1.5" />
              </svg>
            </th>
            {numbers.map((text, at) => (
              <td key={columns[at + 1]} class="number">
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
