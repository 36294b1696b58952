/** Loads the configuration together with the changes of the operator in a data directory. */
import { join } from 'node:path';
import { directoryAt } from '../../base/mod.ts';
import {
  type Config,
  type ConfigSources,
  explainConfig,
  type GivenSetting,
  loadConfig,
} from '../settings/mod.ts';
import { readChanges, type SettingChanges } from './setting-changes.ts';

/** The configuration as files, environment, flags and the operator's changes make it. */
export interface ChangeableConfig {
  /** Reads the configuration again. `path` is the data directory, if it is not the one that the configuration names. */
  reload(path?: string): Config;
  /** Returns the configuration as other changes would make it. Throws a UsageError if one of them is wrong. */
  attempt(changes: SettingChanges): Config;
  /** Returns all settings with the places that their values come from. */
  explain(path?: string): GivenSetting[];
}

export function openConfig(sources: ConfigSources): ChangeableConfig {
  return {
    reload(path) {
      const config = loadConfig(sources);
      const changed = changesIn(path ?? config.data);
      return changed ? loadConfig({ ...sources, changed }) : config;
    },
    attempt: (values) => loadConfig({ ...sources, changed: { values, place: '' } }),
    explain(path) {
      const changed = changesIn(path ?? loadConfig(sources).data);
      return explainConfig(changed ? { ...sources, changed } : sources);
    },
  };
}

function changesIn(path: string): ConfigSources['changed'] | null {
  const values = readChanges(directoryAt(path));
  return Object.keys(values).length === 0 ? null : { values, place: join(path, 'settings.json') };
}
