import { findIncomplete } from '../../edge/environment/find-env-faults.ts'
import { requirePrimaries } from '../../edge/environment/find-replicas.ts'
import { Settings } from '../../edge/environment/settings.ts'
import { AccountDatabases } from '../../edge/platform/database/account-databases.ts'
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
  requirePrimaries(variables.DATABASE_URL, AccountDatabases.parse(variables.ACCOUNT_DATABASES))
  if (variables.DATABASE_URL) return requireSeller(variables, Settings.parse(variables))
  const local = localVars(readPorts(variables))
  const { ACCOUNT_DATABASES } = variables
  return Settings.parse({ ...local, ...localSecrets(loadSecrets(DATA_DIRECTORY)), ACCOUNT_DATABASES })
}

/** A payment that a command credits gets a receipt, which can never be changed. */
function requireSeller(variables: Variables, settings: Settings): Settings {
  const names = findIncomplete(variables).flatMap(({ name }) => (name.startsWith('SELLER_') ? [name] : []))
  if (names.length === 0) return settings
  throw new Error(`${names.join(', ')} must be set, as for the Worker, because receipts name the seller.`)
}

/** Reads only the addresses of the databases, which backups need. The first one is the home. */
export function readDatabaseAddresses(variables: Variables): [DatabaseAddress, ...DatabaseAddress[]] {
  const others = AccountDatabases.parse(variables.ACCOUNT_DATABASES)
  requirePrimaries(variables.DATABASE_URL, others)
  return [readDatabaseAddress(variables), ...others.map(({ url, token }) => ({ url, auth_token: token }))]
}

/** Reads only the address of the first database. */
export function readDatabaseAddress(variables: Variables): DatabaseAddress {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN } = variables
  if (DATABASE_URL) return { url: DATABASE_URL, auth_token: DATABASE_AUTH_TOKEN || undefined }
  return { url: readOpsSettings(variables).DATABASE_URL }
}
