import type { Locale } from '../../shared/text/texts.ts'
import { assignAdministrator } from '../accounts/assign-administrator.ts'
import { beginSession } from '../accounts/begin-session.ts'
import type { Client } from '../accounts/client.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { linkAccount } from '../accounts/link-identity.ts'
import { requireNotBlocked } from '../accounts/login.ts'
import { placeNewAccount } from '../accounts/place-account.ts'
import { type AccountRow, findAccount, loadCallerAccount } from '../accounts/queries.ts'
import { countOpened, openAccount, requireRegistrationOpen } from '../accounts/register.ts'
import { EmailAddress } from '../accounts/rules/email-address.ts'
import { takeOverAccount } from '../accounts/take-over.ts'
import type { Deps } from '../deps.ts'
import { LostRace, untilCommitted } from '../platform/database/commit.ts'
import { everyDatabase } from '../platform/database/find-place.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import type { ErrorCode } from '../platform/errors/rules/table.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { loadSettings } from '../settings/queries.ts'
import { finishFlow, type IdpAnswer, requireProvider } from './finish-flow.ts'
import { findByIdentity } from './queries.ts'
import { decideSignIn, type Identity, type KnownAccount, type SignIn } from './rules/sign-in.ts'

/**
 * Signs in with the identity provider. If no account exists, creates a verified one with its welcome credits.
 * Throws 400, 403, 404, 409, 429 and 502. Contract: Accounts, Identity provider.
 */
export async function signInByIdentity(
  deps: Deps,
  { locale, ...answer }: IdpAnswer & { locale?: Locale | undefined },
  client: Client,
) {
  const provider = await requireProvider(deps)
  const { identity: confirmed, next } = await finishFlow(deps, provider, 'login', answer)
  // What the user has chosen here is newer than what the provider knows.
  const identity = locale === undefined ? confirmed : { ...confirmed, locale }
  const { own, account_id, created } = await untilCommitted(() => enterAccount(deps, identity, client))
  const row = await findAccount(own.db, account_id)
  if (row === undefined) throw new Error('the account no longer exists')
  const account = await assignAdministrator(own, row)
  const session = await beginSession(own, await loadCallerAccount(own.db, account), account, client)
  return { ...session, created, next }
}

/**
 * Opens the account that an identity signs in to. Throws LostRace if the facts changed concurrently, for example
 * because the same person also signed in elsewhere.
 */
async function enterAccount(deps: Deps, identity: Identity, client: Client) {
  const { linked, sameAddress } = await findInAll(deps, identity)
  const decision = decideSignIn(identity, knownAccount(linked?.found), knownAccount(sameAddress?.found))
  if (decision.kind === 'refuse') throw toError(decision)
  const known = linked ?? sameAddress
  if (known !== undefined) requireNotBlocked(known.found)
  // `decideSignIn` creates an account only for an identity with an address.
  const own = known?.deps ?? (await placeNewAccount(deps, identity.email ?? ''))
  const account_id = await carryOutSignIn(own, decision, identity, client)
  return { own, account_id, created: decision.kind === 'create' }
}

/** Finds the account of an identity and that of its address, which may be in two databases. */
async function findInAll(deps: Deps, identity: Identity) {
  const emailKey = identity.email?.toLowerCase() ?? null
  const answers = await Promise.all(
    everyDatabase(deps).map(async (each) => ({
      deps: each,
      ...(await findByIdentity(each.db, identity, emailKey)),
    })),
  )
  const pick = (kind: 'linked' | 'sameAddress') =>
    answers.flatMap((each) => (each[kind] === undefined ? [] : [{ deps: each.deps, found: each[kind] }]))[0]
  return { linked: pick('linked'), sameAddress: pick('sameAddress') }
}

function knownAccount(row: AccountRow | undefined): KnownAccount | undefined {
  if (row === undefined) return undefined
  return { id: row.id, email_verified: row.emailVerifiedAt !== null, idp_subject: row.idpSubject }
}

async function carryOutSignIn(
  deps: Deps,
  decision: Exclude<SignIn, { kind: 'refuse' }>,
  identity: Identity,
  client: Client,
): Promise<number> {
  if (decision.kind === 'create') {
    const { id } = await openLinkedAccount(deps, decision.email, identity, client)
    await confirmAddress(deps, id)
    return id
  }
  const id = decision.account_id
  if (decision.kind === 'link') {
    await (decision.take_over ? takeOverAccount : linkAccount)(deps, id, identity).catch(decideAgain)
    // Runs after the link. If it is interrupted, the next sign-in completes it.
    await confirmAddress(deps, id)
  } else await confirmWhereOwn(deps, id, identity)
  return id
}

const LINKED: readonly ErrorCode[] = ['account_already_linked', 'identity_already_linked']

/** Turns a concurrent link of the account or the identity into a lost race. */
function decideAgain(error: unknown): never {
  const isConflict = error instanceof ApiError && LINKED.includes(error.code)
  throw isConflict ? new LostRace() : error
}

/** Completes a verification that was interrupted after the account was linked. */
async function confirmWhereOwn(deps: Deps, id: number, { email, email_verified }: Identity): Promise<void> {
  const account = await findAccount(deps.db, id)
  if (account === undefined || account.emailVerifiedAt !== null) return
  if (email_verified && email?.toLowerCase() === account.emailKey) await confirmAddress(deps, id)
}

/** Creates an account the usual way, except that the provider replaces the captcha and the address check. */
async function openLinkedAccount(deps: Deps, email: string, identity: Identity, client: Client) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  requireRegistrationOpen(settings)
  return countOpened(deps, settings, client, async () => {
    if (!EmailAddress.safeParse(email).success) {
      throw new ApiError('identity_email_unusable')
    }
    const row = await openAccount(deps, {
      email,
      fullName: identity.full_name,
      passwordHash: null,
      locale: identity.locale === null ? client.locale : pickLocale(identity.locale),
      idpIssuer: identity.issuer,
      idpSubject: identity.subject,
    })
    if (row === null) throw new LostRace()
    return row
  })
}
