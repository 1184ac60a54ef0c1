import { findEnvFaults } from '../../edge/environment/find-env-faults.ts'
import { SETTING_RULES } from '../../edge/environment/setting-rules.ts'
import type { SettingFault } from '../../shared/settings/setting-rule.ts'

/** What is known about the settings of an environment before a deployment. */
export interface DeploymentFacts {
  environment: string
  /** The variables in the section of wrangler.toml. */
  vars: Readonly<Record<string, string>>
  /** Names of the secrets that Cloudflare has stored. Their values cannot be read. */
  secret_names: readonly string[]
  /** Values of secrets, as far as the deployer gives them. */
  secrets: Readonly<Record<string, string>>
}

/** A value of a stored secret cannot be judged, only its name. The values of the deployer can. */
export function judgeDeployment(facts: DeploymentFacts): SettingFault[] {
  const { environment, vars, secret_names, secrets } = facts
  const stored = new Set(secret_names.filter((name) => secrets[name] === undefined))
  const faults = findEnvFaults({ ...vars, ...secrets }).filter(
    // A stored secret that the deployer does not know is only missing here.
    ({ name, problem }) => !(stored.has(name) && problem.startsWith('is missing')),
  )
  if (vars.ENVIRONMENT !== environment) {
    faults.push({
      name: 'ENVIRONMENT',
      problem: `must be "${environment}" in the vars of [env.${environment}].`,
    })
  }
  if (stored.has('ACCOUNT_DATABASES')) {
    // They would not be migrated.
    faults.push({
      name: 'ACCOUNT_DATABASES',
      problem: 'is a stored secret. Its value must also be in the file of --secrets.',
    })
  }
  const exposed = Object.keys(vars).filter((name) => isSecret(name))
  const unknown = secret_names.filter((name) => !Object.hasOwn(SETTING_RULES, name))
  return [
    ...faults,
    ...exposed.map((name) => ({
      name,
      problem: 'is a secret in wrangler.toml. Remove it and use `wrangler secret put`.',
    })),
    ...unknown.map((name) => ({
      name,
      problem: 'is a stored secret that the Worker does not read. Delete it.',
    })),
  ]
}

/** Settings of other kinds that contain secrets. */
const WITH_SECRETS = ['ACCOUNT_DATABASES', 'MESSENGER_BOTS']

function isSecret(name: string): boolean {
  if (WITH_SECRETS.includes(name)) return true
  const rule = Object.entries(SETTING_RULES).find(([known]) => known === name)?.[1]
  return rule?.kind === 'secret' || rule?.kind === 'keys' || rule?.kind === 'named_keys'
}
