import { judgeKey, judgeSecret } from './judge-secret.ts'
import { judgeUrl } from './judge-url.ts'
import { isPlaceholder } from './placeholder.ts'
import type { Deployment, NamedSecret, SettingFault, SettingRule } from './setting-rule.ts'

const SECRET_LENGTH_MIN = 16

/**
 * Checks the settings of a deployment: names each that is missing, a placeholder, unencrypted, weak, a sandbox's,
 * listed twice, or equal to another secret.
 * @param given the settings as text; an absent or empty one is unset
 * @param more further secrets, from settings with a format of their own
 */
export function findSettingFaults(
  given: Readonly<Record<string, string | undefined>>,
  rules: Readonly<Record<string, SettingRule | null>>,
  deployment: Deployment,
  more: readonly NamedSecret[] = [],
): SettingFault[] {
  const faults: SettingFault[] = []
  const secrets = [...more]
  for (const [name, rule] of Object.entries(rules)) {
    const value = given[name] ?? ''
    if (rule === null) continue
    const problem = value === '' ? judgeAbsence(rule) : judgeValue(value, rule, deployment)
    if (problem !== null) faults.push({ name, problem })
    for (const secret of secretsOf(value, rule)) secrets.push({ name, secret })
  }
  return [...faults, ...findRepeated(secrets)]
}

function judgeAbsence({ required = false }: SettingRule): string | null {
  return required ? 'is missing. Set it.' : null
}

function judgeValue(value: string, rule: SettingRule, deployment: Deployment): string | null {
  if (isPlaceholder(value)) return 'is still a placeholder. Set the real value.'
  if (deployment === 'production' && rule.sandbox?.test(value) === true) {
    return 'belongs to a sandbox. Use the live one.'
  }
  if (rule.kind === 'url' || rule.kind === 'private_url') return judgeUrl(value, rule.kind === 'private_url')
  if (rule.kind === 'text') return null
  if (rule.kind === 'secret') return judgeSecret(value, rule.length_min ?? SECRET_LENGTH_MIN)
  const keys = entriesOf(value)
  if (rule.kind === 'named_keys') {
    const ids = keys.map((key) => key.slice(0, key.indexOf(':')))
    if (new Set(ids).size < ids.length) return 'has two keys with the same id. Give each its own.'
  }
  return (
    secretsOf(value, rule)
      .map(judgeKey)
      .find((problem) => problem !== null) ?? null
  )
}

function secretsOf(value: string, { kind }: SettingRule): string[] {
  if (kind === 'secret' || kind === 'keys') return entriesOf(value)
  return kind === 'named_keys' ? entriesOf(value).map((key) => key.slice(key.indexOf(':') + 1)) : []
}

function entriesOf(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Finds secrets that occur twice. A leak of one setting would then reveal another. */
function findRepeated(secrets: readonly NamedSecret[]): SettingFault[] {
  const owners = Map.groupBy(secrets, ({ secret }) => secret)
  return [...owners.values()].flatMap((same) => {
    if (same.length < 2) return []
    const names = [...new Set(same.map(({ name }) => name))]
    const [name = '', other = ''] = names
    const problem =
      names.length === 1
        ? 'lists the same secret twice. Remove one.'
        : `has the same secret as ${other}. Generate another.`
    return [{ name, problem }]
  })
}
