import { Settings } from '../../edge/environment/settings.ts'
import type { DatabaseAddress } from '../backup/backup.ts'
import { readPorts } from '../system/ports.ts'
import { DATA_DIRECTORY } from '../system/root.ts'
import { loadSecrets } from '../system/secrets.ts'
import { localSecrets, localVars } from '../system/wrangler-config.ts'

type Variables = NodeJS.ProcessEnv

/**
 * Reads the settings of the deployment to operate on: the variables and secrets of its Worker, or the local system
 * if DATABASE_URL is not set.
 */
export function readOpsSettings(variables: Variables): Settings {
  if (variables.DATABASE_URL) return Settings.parse(variables)
  const local = localVars(readPorts(variables))
  return Settings.parse({ ...local, ...localSecrets(loadSecrets(DATA_DIRECTORY)) })
}

/** Reads only the address of the database, which backups need. */
export function readDatabaseAddress(variables: Variables): DatabaseAddress {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN } = variables
  if (DATABASE_URL) return { url: DATABASE_URL, auth_token: DATABASE_AUTH_TOKEN || undefined }
  return { url: readOpsSettings(variables).DATABASE_URL }
}
