import { suggestName } from '../../shared/planning/suggest.ts'
import { findSettingFaults } from '../../shared/settings/find-faults.ts'
import type { Deployment, NamedSecret, SettingFault } from '../../shared/settings/setting-rule.ts'
import { keepEnglish } from '../../shared/text/texts.ts'
import { MessengerBots } from '../messenger/bots.ts'
import { AccountDatabases } from '../platform/database/account-databases.ts'
import { findReplicas } from './find-replicas.ts'
import { SETTING_RULES } from './setting-rules.ts'
import { Settings } from './settings.ts'

/**
 * Settings that require another setting. For example, payment events could not be verified without a secret, receipts
 * must name the seller, and a required captcha could not be solved without its site key. The site key may be set alone,
 * because the secret is added in a later step.
 */
const NEEDS = [
  ...(['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY', 'SELLER_EMAIL'] as const).flatMap(
    (seller) =>
      [
        ['PADDLE_API_KEY', seller],
        ['NOWPAYMENTS_API_KEY', seller],
      ] as const,
  ),
  ['PADDLE_API_KEY', 'PADDLE_WEBHOOK_SECRET'],
  ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  ['PAYMENT_SANDBOX_URL', 'PAYMENT_SANDBOX_SECRET'],
  ['FEEDBACK_CHAT_ID', 'MESSENGER_BOTS'],
  ['CAPTCHA_SECRET_KEY', 'CAPTCHA_SITE_KEY'],
  ['IDP_ISSUER', 'IDP_CLIENT_ID'],
] as const satisfies (readonly [keyof Settings, keyof Settings])[]

type Given = Readonly<Record<string, string | undefined>>

/**
 * Checks all settings of the edge. A developer's machine (ENVIRONMENT=local) may use its own addresses and secrets;
 * every other environment must be a whole and safe deployment.
 * @param given the variables and secrets of the Worker as text
 */
export function findEnvFaults(given: Given): SettingFault[] {
  const parsed = Settings.safeParse(given)
  const unreadable = (parsed.error?.issues ?? []).map(({ path: [name], message }) => ({
    name: String(name),
    problem: given[String(name)] ? describeIssue(message) : 'is missing. Set it.',
  }))
  const all = [...unreadable, ...findIncomplete(given), ...findSharedArchive(given), ...findUnusable(given)]
  if (given.ENVIRONMENT !== 'local') all.push(...findUnsafe(given))
  // The first fault of a setting explains the others.
  return [...new Map(all.toReversed().map((fault) => [fault.name, fault])).values()].toReversed()
}

function describeIssue(message: string): string {
  const text = keepEnglish(message).replace(/\.$/, '')
  return text.startsWith('must ') ? `${text}.` : `is invalid: ${text}.`
}

/** Finds settings that another setting requires. */
export function findIncomplete(given: Given): SettingFault[] {
  return NEEDS.filter(([name, needed]) => given[name] && !given[needed]).map(([name, needed]) => ({
    name: needed,
    problem: `is missing. ${name} requires it.`,
  }))
}

/** Archived jobs are deleted from the first database after they were written to the second. */
function findSharedArchive({ DATABASE_URL, ARCHIVE_DATABASE_URL }: Given): SettingFault[] {
  if (!ARCHIVE_DATABASE_URL || ARCHIVE_DATABASE_URL !== DATABASE_URL) return []
  return [{ name: 'ARCHIVE_DATABASE_URL', problem: 'must not be the database of DATABASE_URL.' }]
}

/** Each database of accounts has its own rows, and is read where it is written. */
function findUnusable({ DATABASE_URL, ACCOUNT_DATABASES, ARCHIVE_DATABASE_URL }: Given): SettingFault[] {
  const { data: others = [] } = AccountDatabases.safeParse(ACCOUNT_DATABASES)
  const replicas = findReplicas(DATABASE_URL, others)
  if (!others.some(({ url }) => url === DATABASE_URL || url === ARCHIVE_DATABASE_URL)) return replicas
  return [
    ...replicas,
    { name: 'ACCOUNT_DATABASES', problem: 'must not contain the first database or the archive of jobs.' },
  ]
}

function findUnsafe(given: Given): SettingFault[] {
  const deployment: Deployment = given.ENVIRONMENT === 'staging' ? 'staging' : 'production'
  const faults = [
    ...findSettingFaults(given, SETTING_RULES, deployment, botSecrets(given)),
    ...findUnsafeDatabases(given, deployment),
  ]
  if (given.DNS_URL === '')
    faults.push({ name: 'DNS_URL', problem: 'is required to check webhook addresses.' })
  if (given.ALLOW_PRIVATE_SOURCES === 'true') {
    faults.push({ name: 'ALLOW_PRIVATE_SOURCES', problem: 'is for tests only. Remove it.' })
  }
  if (given.SMTP_HOST && given.SMTP_SECURE === 'none') {
    faults.push({ name: 'SMTP_SECURE', problem: 'disables encryption. Use tls or starttls.' })
  }
  if (given.SMTP_HOST && !given.MAIL_FROM) {
    faults.push({ name: 'MAIL_FROM', problem: 'is missing. SMTP_HOST requires it.' })
  }
  return [...faults, ...findUnknown(given)]
}

/** Checks the databases after the first one by the rules of the first one. */
function findUnsafeDatabases({ ACCOUNT_DATABASES }: Given, deployment: Deployment): SettingFault[] {
  const { data: databases = [] } = AccountDatabases.safeParse(ACCOUNT_DATABASES)
  const rules = { url: SETTING_RULES.DATABASE_URL, token: SETTING_RULES.DATABASE_AUTH_TOKEN }
  return databases.flatMap((address, index) =>
    findSettingFaults(address, rules, deployment).map(({ name, problem }) => ({
      name: 'ACCOUNT_DATABASES',
      problem: `has a database (${index + 1}) whose ${name} ${problem}`,
    })),
  )
}

/** Finds misspelt settings, which would otherwise silently have no effect. */
function findUnknown(given: Given): SettingFault[] {
  const names = Object.keys(Settings.shape)
  return Object.keys(given)
    .filter((name) => given[name] !== undefined && !names.includes(name))
    .map((name) => {
      const close = suggestName(name, names)
      const hint = close === undefined ? 'Remove it.' : `Did you mean ${close}?`
      return { name, problem: `is not a setting. ${hint}` }
    })
}

function botSecrets({ MESSENGER_BOTS: text }: Given): NamedSecret[] {
  const { data: bots = [] } = MessengerBots.safeParse(text)
  return bots.flatMap(({ token, secret }) =>
    [token, secret].map((one) => ({ name: 'MESSENGER_BOTS', secret: one })),
  )
}
