import { openDirectory, silentLog } from '../src/base/mod.ts';
import { IndexWriter, SegmentBuffer } from '../src/index/mod.ts';
import { fingerprint, hostOf, localityKey } from '../src/url/mod.ts';
import { readCorpus } from './engine/read-corpus.ts';
const [corpus, path, mb, max] = process.argv.slice(2);
const BUF = Number(mb)*1024*1024; const MAX=Number(max??1e9);
const directory = openDirectory(path!); const writer = new IndexWriter(directory, silentLog); const buffer = new SegmentBuffer();
const orderKey = (url: any) => localityKey(url);
let all=0, main=0, docs=0, segs=0;
const cpu=()=>{const {user,system}=process.cpuUsage();return (user+system)/1e6};
const mcpu=()=>{const {user,system}=(process as any).threadCpuUsage();return (user+system)/1e6};
const flush = async () => { const mm=()=>{const m=process.memoryUsage(); return [m.rss,m.heapTotal,m.heapUsed,m.external,m.arrayBuffers].map(x=>(x>>>20)).join(" ")}; console.log("before", docs, (buffer.sizeBytes/1048576)|0, mm()); process.on("exit",()=>0); const name = writer.reserveName(); await buffer.write(directory, name, orderKey); writer.adopt(name, null); console.log("written", mm()); buffer.clear(); segs++; };
const timed = async (f: any) => { const a=cpu(), m=mcpu(); await f(); all+=cpu()-a; main+=mcpu()-m; };
const run = async (batch: any[]) => { await timed(async()=>{ for (const {url,title,body} of batch) { buffer.add({ stored: { url, title, description: '', text: body, language: '', fetchedAt: 0 }, fingerprint: fingerprint(url), host: hostOf(url), urlDepth: 1, title, text: body, stretches: [], urlText: '' }); if (buffer.sizeBytes > BUF) await flush(); } }); };
let batch: any[] = [];
for (const d of readCorpus(corpus!)) { batch.push(d); docs++; if (batch.length === Number(process.env.B??500)) { await run(batch); batch = []; } if (docs>=MAX) break; }
await run(batch); await timed(async()=>{ await flush(); writer.commit('1'); if (process.env.MERGE) while (await writer.mergeIfDue(orderKey)) writer.commit('1'); });
console.log(docs, 'docs', segs, 'segments; cpu', all.toFixed(2), 'main', main.toFixed(2), 'rss', (process.resourceUsage().maxRSS/1024).toFixed(0)); writer.close();
