import * as openid from 'openid-client'
import { z } from 'zod'
import { asciiEmail } from '../emails/ascii-address.ts'
import type { Env } from '../env.ts'
import { addressOfIdentity, type Identity, type SignInMode } from './rules/sign-in.ts'

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 10
/** The provider's own description and keys are asked for again after this. */
const FRESH_MS = 60 * 60 * 1000

/** What is kept here while the person is at the provider. */
export interface Flow {
  state: string
  nonce: string
  code_verifier: string
}

/** The provider did not confirm a sign-in: the code is unknown, used, too old, or not meant for us. */
export class IdentityRefused extends Error {
  override name = 'IdentityRefused'
}

/** An OpenID Connect issuer: authorization code with PKCE. Everything throws where it can't be reached. */
export interface IdentityProvider {
  begin(mode: SignInMode): Promise<Flow & { authorization_url: string }>
  /** Throws IdentityRefused. */
  finish(code: string, flow: Flow): Promise<Identity>
}

const Claims = z.object({
  email: z.string().overwrite(asciiEmail).optional(),
  // Some providers write the truth as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: z.string().optional(),
  locale: z.string().optional(),
})

/** @returns null where none is configured. */
export function openIdentityProvider(env: Env): IdentityProvider | null {
  const { IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET, IDP_REDIRECT_URL } = env
  if (IDP_ISSUER === undefined || IDP_CLIENT_ID === undefined) return null
  const redirect_uri = IDP_REDIRECT_URL ?? `${env.PUBLIC_URL}/auth/callback`
  const options = env.ENVIRONMENT === 'local' ? { execute: [openid.allowInsecureRequests] } : {}
  let known: { configuration: openid.Configuration; until: number } | undefined

  // Requests that come at once each ask for it: none may wait for what another began.
  async function discover(): Promise<openid.Configuration> {
    if (known && known.until > Date.now()) return known.configuration
    const issuer = new URL(IDP_ISSUER ?? '')
    const settings = { ...options, timeout: TIMEOUT_SECONDS }
    const configuration = await openid.discovery(
      issuer,
      IDP_CLIENT_ID ?? '',
      undefined,
      proveBy(IDP_CLIENT_SECRET, env.IDP_CLIENT_AUTH),
      settings,
    )
    // The signature is checked as well, not only that the token came by TLS.
    openid.enableNonRepudiationChecks(configuration)
    known = { configuration, until: Date.now() + FRESH_MS }
    return configuration
  }

  return {
    async begin(mode) {
      const configuration = await discover()
      const flow = {
        // The page that the person comes back to reads from it which of the two it is to finish.
        state: `${mode}.${openid.randomState()}`,
        nonce: openid.randomNonce(),
        code_verifier: openid.randomPKCECodeVerifier(),
      }
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(flow.code_verifier),
        code_challenge_method: 'S256',
      })
      return { ...flow, authorization_url: url.href }
    },
    async finish(code, { state, nonce, code_verifier }) {
      const configuration = await discover()
      const { issuer, userinfo_endpoint } = configuration.serverMetadata()
      // There is one issuer, so its name in the answer (RFC 9207) adds nothing; the library wants it.
      const answer = new URL(`${redirect_uri}?${new URLSearchParams({ code, state, iss: issuer })}`)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier }
      const tokens = await openid.authorizationCodeGrant(configuration, answer, checks).catch(throwRefusal)
      const claims = tokens.claims()
      if (claims === undefined) throw new IdentityRefused()
      // An issuer may have none, and tell all it tells in the token.
      const info =
        userinfo_endpoint === undefined
          ? {}
          : await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      const { name, locale } = Claims.parse({ ...claims, ...info })
      return {
        issuer,
        subject: claims.sub,
        ...addressOfIdentity(Claims.parse(claims), Claims.parse(info)),
        full_name: name?.trim().slice(0, 200) || null,
        locale: locale ?? null,
      }
    },
  }
}

/**
 * How the issuer is shown that it is us. Basic is what one takes that lists nothing (OpenID Connect Discovery 1.0,
 * section 3), and what clients are registered for by default; in the form where an issuer lists only other ways.
 */
function proveBy(secret: string | undefined, registered: Env['IDP_CLIENT_AUTH']): openid.ClientAuth {
  if (!secret) return openid.None()
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic =
      registered === undefined
        ? methods.includes('client_secret_basic')
        : registered === 'client_secret_basic'
    const prove = isBasic ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret)
    prove(server, ...request)
  }
}

const NOT_MEANT_FOR_US = new Set(['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'])

/** Refusals of the code and claims that are not as they must be; our own misconfiguration is none. */
function throwRefusal(error: unknown): never {
  if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') {
    throw new IdentityRefused(error.message, { cause: error })
  }
  if (error instanceof openid.ClientError && NOT_MEANT_FOR_US.has(error.code ?? '')) {
    throw new IdentityRefused(error.message, { cause: error })
  }
  throw error
}
