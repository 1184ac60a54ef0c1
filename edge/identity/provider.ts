import * as openid from 'openid-client'
import { z } from 'zod'
import { asciiEmail } from '../emails/ascii-address.ts'
import type { Env } from '../env.ts'
import { addressOfIdentity, type Identity, type SignInMode } from './rules/sign-in.ts'

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 10
/** Cache time of the issuer's metadata and keys. */
const FRESH_MS = 60 * 60 * 1000

/** State that is stored while the user is at the provider. */
export interface Flow {
  state: string
  nonce: string
  code_verifier: string
}

/**
 * Thrown if the provider does not confirm a sign-in because the code is unknown, used, expired, or was issued to
 * another client.
 */
export class IdentityRefused extends Error {
  override name = 'IdentityRefused'
}

/**
 * An OpenID Connect issuer that uses the authorization code flow with PKCE. Every method throws if the issuer is
 * unavailable.
 */
export interface IdentityProvider {
  begin(mode: SignInMode): Promise<Flow & { authorization_url: string }>
  /** Throws IdentityRefused if the provider does not confirm the sign-in. */
  finish(code: string, flow: Flow): Promise<Identity>
}

const Claims = z.object({
  email: z.string().overwrite(asciiEmail).optional(),
  // Some providers send booleans as strings.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: z.string().optional(),
  locale: z.string().optional(),
})

/** @returns null if no provider is configured. */
export function openIdentityProvider(env: Env): IdentityProvider | null {
  const { IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET, IDP_REDIRECT_URL } = env
  if (IDP_ISSUER === undefined || IDP_CLIENT_ID === undefined) return null
  const redirect_uri = IDP_REDIRECT_URL ?? `${env.PUBLIC_URL}/auth/callback`
  const options = env.ENVIRONMENT === 'local' ? { execute: [openid.allowInsecureRequests] } : {}
  let known: { configuration: openid.Configuration; until: number } | undefined

  // Concurrent requests each fetch the metadata: in Workers, a request cannot await another request's I/O.
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
    // Verifies the ID token's signature in addition to the TLS connection.
    openid.enableNonRepudiationChecks(configuration)
    known = { configuration, until: Date.now() + FRESH_MS }
    return configuration
  }

  return {
    async begin(mode) {
      const configuration = await discover()
      const flow = {
        // The redirect page reads the mode from the state.
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
      // There is only one issuer, so `iss` (RFC 9207) adds no security, but the library requires it.
      const answer = new URL(`${redirect_uri}?${new URLSearchParams({ code, state, iss: issuer })}`)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier }
      const tokens = await openid.authorizationCodeGrant(configuration, answer, checks).catch(throwRefusal)
      const claims = tokens.claims()
      if (claims === undefined) throw new IdentityRefused()
      // Issuers without a user-info endpoint include all claims in the token.
      const info =
        userinfo_endpoint === undefined
          ? {}
          : await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      const { name, locale } = Claims.parse({ ...claims, ...info })
      return {
        issuer,
        subject: claims.sub,
        ...addressOfIdentity(Claims.parse(claims), Claims.parse(info)),
        full_name: name?.trim().slice(0, 200).toWellFormed() || null,
        locale: locale ?? null,
      }
    },
  }
}

/**
 * Returns how the client authenticates to the issuer. HTTP Basic is the default if the issuer lists no methods
 * (OpenID Connect Discovery 1.0, section 3). If it lists only other methods, the secret is sent in the form body.
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

/**
 * Maps an invalid code or invalid claims to a refusal. Rethrows errors caused by a misconfiguration of this
 * service.
 */
function throwRefusal(error: unknown): never {
  if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') {
    throw new IdentityRefused(error.message, { cause: error })
  }
  if (error instanceof openid.ClientError && NOT_MEANT_FOR_US.has(error.code ?? '')) {
    throw new IdentityRefused(error.message, { cause: error })
  }
  throw error
}
