import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider from 'oidc-provider'
import { z } from 'zod'
import { LOOPBACK } from './ports.ts'

/**
 * A real OpenID provider for this machine, run as a process of its own. Whoever types a name is that
 * person, with any password: `ada` is ada@localhost.test, and a name with an @ is its own address.
 * Names that begin with "unverified" have an address that nobody has proved.
 */
const environment = z
  .object({
    PORT: z.coerce.number(),
    CLIENT_ID: z.string(),
    CLIENT_SECRET: z.string(),
    REDIRECT_URL: z.url(),
  })
  .parse(process.env)

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const provider = new Provider(`http://${LOOPBACK}:${environment.PORT}`, {
  clients: [
    {
      client_id: environment.CLIENT_ID,
      client_secret: environment.CLIENT_SECRET,
      redirect_uris: [environment.REDIRECT_URL],
    },
  ],
  // The one way that every issuer has to take; this one refuses a secret in the form.
  clientAuthMethods: ['client_secret_basic'],
  pkce: { required: () => true },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' }] },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'locale'],
  },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: id.includes('@') ? id : `${id}@localhost.test`,
      email_verified: !id.startsWith('unverified'),
      name: id.split('@')[0],
      locale: 'uk-UA',
    }),
  }),
})

provider.listen(environment.PORT, LOOPBACK)
