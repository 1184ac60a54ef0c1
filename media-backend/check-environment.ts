import { findSettingFaults } from '../shared/settings/find-faults.ts'
import { type Deployment, describeFaults, type SettingRule } from '../shared/settings/setting-rule.ts'
import { type Environment, parseEnvironment } from './environment.ts'

/** Rules for the settings of a deployed fleet that its schema cannot check alone. */
const SETTING_RULES: Partial<Record<keyof Environment, SettingRule>> = {
  REDIS_URL: { kind: 'private_url', required: true },
  REDIS_PASSWORD: { kind: 'text' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { kind: 'private_url' },
  OTEL_EXPORTER_OTLP_HEADERS: { kind: 'secret' },
  EDGE_URL: { kind: 'url' },
  FLEET_KEYS: { kind: 'keys' },
  S3_ENDPOINT: { kind: 'url' },
  S3_BUCKET: { kind: 'text' },
  S3_ACCESS_KEY_ID: { kind: 'text' },
  S3_SECRET_ACCESS_KEY: { kind: 'secret' },
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Parses the settings of a fleet that serves customers. Only a developer's machine (ENVIRONMENT=local) may use its
 * own addresses and keys; without ENVIRONMENT, the fleet is one of production.
 * @throws Error that lists every invalid setting, without its value
 */
export function checkEnvironment(variables: Variables): Environment {
  const environment = parseEnvironment(variables)
  const { ENVIRONMENT } = environment
  if (ENVIRONMENT === 'local') return environment
  const faults = findSettingFaults(variables, SETTING_RULES, ENVIRONMENT satisfies Deployment)
  if (environment.ALLOW_PRIVATE_SOURCES) {
    faults.push({ name: 'ALLOW_PRIVATE_SOURCES', problem: 'is for tests only. Remove it.' })
  }
  if (faults.length === 0) return environment
  throw new Error(`The settings of the fleet are invalid.\n${describeFaults(faults)}`)
}
