/**
 * Settings: their declarations, the types of their values, and loading from defaults, a file, the environment and
 * flags. The type `Config` is derived from the declarations.
 */

export {
  type Config,
  type ConfigSources,
  DASHBOARD,
  environmentName,
  explainConfig,
  type GivenSetting,
  loadConfig,
  nearestKey,
} from './config.ts';
export { isDefaultMemory, memoryShareOf, SHARES } from './memory-shares.ts';
export { DEFAULT_DATA, SETTINGS } from './settings.ts';
