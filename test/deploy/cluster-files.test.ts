/**
 * Compares the files that start a cluster with the command `gyre node`: roles, options, keys of the cluster file, ports,
 * secrets and labels.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse, parseAllDocuments, parseDocument } from 'yaml';
import { parseInvocation } from '../../src/cli/arguments.ts';
import { readClusterFile } from '../../src/cli/cluster/cluster-file.ts';
import { nodeCommand } from '../../src/cli/cluster/node-command.ts';
import { parseRoles, ROLE_NAMES } from '../../src/cli/cluster/roles.ts';
import { loadConfig } from '../../src/cli/settings/mod.ts';
import { temporaryDirectory } from '../helpers/gyre.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRETS = Object.fromEntries(
  ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'RABBITMQ_PASSWORD', 'S3_PASSWORD', 'CLUSTER_SECRET'].map((name) => [
    name,
    'x'.repeat(20),
  ]),
);

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** An object of Kubernetes, with the parts that the tests read. */
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels: Record<string, string> };
    scaleTargetRef: { name: string };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

interface PodSpec {
  enableServiceLinks: boolean;
  containers: {
    args: string[];
    envFrom: { secretRef: { name: string } }[];
    ports?: { containerPort: number }[];
  }[];
}

const compose = parse(read('deploy/compose.yaml'), { merge: true });
const objects = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as KubernetesObject),
);
const workloads = objects.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind));
const template = read('deploy/aws/cluster.yaml');

/** Returns the roles of a command line of `gyre node`, and checks its options. */
function rolesOf([name, ...args]: readonly string[]): string[] {
  assert.equal(name, nodeCommand.name);
  const { flags } = parseInvocation(nodeCommand, args, {});
  assert.equal(flags.cluster, '/etc/gyre/cluster.json');
  return parseRoles(String(flags.roles));
}

test('the compose file starts every role with valid options', () => {
  const nodes = Object.values(compose.services as Record<string, { command: string }>).filter(
    ({ command }) =>
      typeof command === 'string' && command.startsWith('node ') && !command.includes('--prepare'),
  );
  const roles = nodes.flatMap(({ command }) => rolesOf(command.split(' ')));
  assert.deepEqual([...new Set(roles)].sort(), [...ROLE_NAMES].sort());
});

test('the objects of Kubernetes start every role with valid options', () => {
  const roles = workloads.flatMap(({ spec }) => rolesOf(spec.template.spec.containers[0]!.args));
  assert.deepEqual(roles.sort(), [...ROLE_NAMES].sort());
});

test('nodes have accounts of their own, and only one job has the owner of the tables', () => {
  const { schema } = compose.services;
  const [job] = objects.filter(({ kind }) => kind === 'Job');
  const { args, envFrom } = job!.spec.template.spec.containers[0]!;
  for (const [name, ...words] of [schema.command.split(' '), args]) {
    assert.equal(name, nodeCommand.name);
    assert.equal(parseInvocation(nodeCommand, words, {}).flags.prepare, 'gyre_node');
  }
  assert.equal(schema.environment.POSTGRES_USER, compose.services.postgresql.environment.POSTGRES_USER);
  assert.deepEqual(envFrom.at(-1), { secretRef: { name: 'gyre-owner' } });
  assert.equal(compose['x-node'].environment.POSTGRES_USER, 'gyre_node');
  for (const { spec } of workloads)
    assert.deepEqual(spec.template.spec.containers[0]!.envFrom, [{ secretRef: { name: 'gyre-services' } }]);
  for (const file of ['deploy/cluster.json', 'deploy/kubernetes/cluster.json'])
    assert.doesNotMatch(read(file), /\bgyre:|"accessKeyId": "gyre"/);
});

test('the permissions in the compose file are those of docs/cluster.md', () => {
  const permissions = /gyre_node ('\S+' '\S+' '\S+')$/m;
  const [, documented] = permissions.exec(read('docs/cluster.md'))!;
  const [, used] = permissions.exec(compose.services.broker.command[0].replaceAll('$$', '$'))!;
  assert.equal(used, documented);
  const { Statement } = JSON.parse(read('deploy/s3/node-policy.json')) as {
    Statement: { Action: string[] }[];
  };
  for (const action of Statement.flatMap(({ Action }) => Action))
    assert.ok(read('docs/cluster.md').includes(action));
});

test('every group of machines on AWS has a role', () => {
  const roles = [...template.matchAll(/bash \/root\/start ([\w,]+)/g)].map(([, role]) => role!);
  assert.deepEqual(parseRoles(roles.join(',')).sort(), [...ROLE_NAMES].sort());
  assert.match(template, /node --cluster \/etc\/gyre\/cluster\.json --roles "\$role"/);
});

test('the cluster files can be read with the secrets that the deployments pass', (context) => {
  for (const file of ['deploy/cluster.json', 'deploy/kubernetes/cluster.json'])
    checkClusterFile(join(ROOT, file));
  checkClusterFile(clusterFileOfTemplate(context));
  const passed = Object.keys(compose['x-node'].environment).filter((name) => !name.startsWith('GYRE_'));
  assert.deepEqual(passed.sort(), Object.keys(SECRETS).sort());
});

function checkClusterFile(file: string): void {
  const cluster = readClusterFile(file, SECRETS);
  loadConfig({
    flags: {},
    environment: SECRETS,
    file: undefined,
    part: { values: cluster.settings, place: file },
  });
}

/**
 * Writes the cluster file of the CloudFormation template with values in place of the references to other
 * resources.
 */
function clusterFileOfTemplate(context: TestContext): string {
  const [, text] = /ClusterFile:[\s\S]*?\n( {10}\{\n[\s\S]*?\n {10}\}\n)/.exec(template)!;
  const values: Record<string, string> = {
    Shards: '4',
    Seeds: '"https://example.org/"',
    Contact: 'mailto:a@example.org',
    PublicUrl: 'https://search.example',
    Bucket: 'bucket',
  };
  const filled = text!.replace(/\$\{([^!}][^}]*)\}/g, (_, name: string) => values[name] ?? 'host');
  const file = join(temporaryDirectory(context), 'cluster.json');
  writeFileSync(file, filled.replaceAll('${!', '${'));
  return file;
}

test('selectors, budgets and scalers of Kubernetes name pods that exist', () => {
  const components = new Set(workloads.map(({ metadata }) => metadata.name));
  for (const { spec, metadata } of workloads) {
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.equal(spec.selector.matchLabels['app.kubernetes.io/component'], metadata.name);
  }
  const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
  assert.equal(budgets.length, workloads.length);
  for (const { spec } of budgets)
    assert.ok(components.has(spec.selector.matchLabels['app.kubernetes.io/component']!));
  for (const { spec } of objects.filter(({ kind }) => /Scale/.test(kind)))
    assert.ok(components.has(spec.scaleTargetRef.name));
});

test('pods get no variables of services, which Gyre would refuse as unknown settings', () => {
  for (const { spec } of workloads) assert.equal(spec.template.spec.enableServiceLinks, false);
});

test('the references of the CloudFormation template name what it declares', () => {
  const { Parameters, Resources } = parseDocument(template, { logLevel: 'silent' }).toJS();
  const declared = new Set(Object.keys({ ...Parameters, ...Resources }));
  // The template declares this name directly beside the text that uses it.
  declared.add('BrokerHost');
  const names = [
    ...template.matchAll(/!Ref (\w+)|!GetAtt (\w+)\.|\$\{(\w+)(?:\.[\w.]+)?\}|DependsOn: (\w+)/g),
  ].map(([, ...groups]) => groups.find(Boolean)!);
  assert.ok(names.length > 100);
  for (const name of names) assert.ok(declared.has(name), name);
  for (const name of Object.keys(Parameters)) assert.ok(names.includes(name), `${name} is used`);
});

test('cfn-lint accepts the CloudFormation template', (context) => {
  const { status, stdout, error } = spawnSync('cfn-lint', [join(ROOT, 'deploy/aws/cluster.yaml')], {
    encoding: 'utf8',
  });
  if (error) return context.skip('cfn-lint is not installed');
  assert.equal(status, 0, stdout);
});
