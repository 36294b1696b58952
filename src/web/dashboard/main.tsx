/**
 * Makes the dashboard live: the server sends a view and a sample of the charts every second. The page that the server
 * has rendered is complete without this script.
 *
 *   #dashboard [data-live]   gets panels and charts
 *   .strip                   state of the crawl, commands, and whether the figures are live
 *
 * The stream is closed while the page is hidden. Browsers connect again by themselves after an error.
 */
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import type { LiveSample, LiveStart, LiveTick, LiveView } from '../mod.ts';
import { Charts } from './charts.tsx';
import { Panels } from './panels.tsx';

const HISTORY = 600;

const root = document.querySelector<HTMLElement>('#dashboard');
if (root) startDashboard(root, root.dataset.live ?? '');

function startDashboard(root: HTMLElement, address: string): void {
  const charts = root.querySelector<HTMLElement>('.charts')!;
  const panels = root.querySelector<HTMLElement>('.panels')!;
  const lead = root.querySelector<HTMLElement>('.lead')!;
  let samples: readonly LiveSample[] = [];
  let stream: EventSource | null = null;
  let isFirst = true;

  const show = (view: LiveView) => {
    if (isFirst) for (const place of [lead, panels]) place.replaceChildren();
    isFirst = false;
    charts.hidden = false;
    render(<Charts samples={samples} limitBytes={view.limitBytes} />, charts);
    render(<Panels panels={view.panels.slice(0, 1)} />, lead);
    render(<Panels panels={view.panels.slice(1)} />, panels);
    showState(view);
  };
  const open = () => {
    stream = new EventSource(address);
    stream.addEventListener('start', (event) => {
      const { history, view } = JSON.parse(event.data) as LiveStart;
      samples = history;
      showConnection('live');
      show(view);
    });
    stream.addEventListener('tick', (event) => {
      const { sample, view } = JSON.parse(event.data) as LiveTick;
      samples = [...samples.slice(1 - HISTORY), sample];
      show(view);
    });
    stream.addEventListener('error', () => {
      showConnection(stream?.readyState === EventSource.CLOSED ? 'ended' : 'lost');
    });
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else if (!stream) open();
  });
  if (!document.hidden) open();
}

const CONNECTIONS = {
  live: 'Live',
  lost: 'Connection lost, trying again …',
  ended: 'Not live any more: load the page again',
};

function showConnection(state: keyof typeof CONNECTIONS): void {
  const note = document.querySelector<HTMLElement>('.strip .live');
  if (!note) return;
  note.hidden = false;
  note.dataset.connection = state;
  note.textContent = CONNECTIONS[state];
}

function showState({ state, stateText, actions }: LiveView): void {
  const shown = document.querySelector<HTMLElement>('.strip .state');
  const word = shown?.querySelector('.word');
  if (shown && word && shown.dataset.state !== state) {
    shown.dataset.state = state;
    word.textContent = stateText;
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('.strip .commands button'))
    button.disabled = !actions.includes(button.value);
}
