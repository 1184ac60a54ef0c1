import { SignJWT } from 'jose'

/** Creates expired, corrupt, and forged session tokens. */
export async function makeBadSessions(session_keys: string, valid: string): Promise<Record<string, string>> {
  const [kid = '', secret = ''] = (session_keys.split(',')[0] ?? '').split(':')
  const sign = (payload: Record<string, unknown>, key = Buffer.from(secret, 'base64')) =>
    new SignJWT({ sub: '1', epoch: 1, jti: crypto.randomUUID(), iss: 'media-credits', exp: 4e9, ...payload })
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(key)
  const [header = '', payload = '', signature = ''] = valid.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  return {
    'an expired session': await sign({ exp: 1_000_000 }),
    'a session of an unknown account': await sign({ sub: '999999999' }),
    'a session with an invalid subject': await sign({ sub: "1' OR 1=1" }),
    'a session of another epoch': await sign({ epoch: 99 }),
    'a session signed by another secret': await sign({}, Buffer.alloc(32, 'x')),
    'an unsigned session': `${none}.${payload}.`,
    'a truncated session': `${header}.${payload}.${signature.slice(0, -3)}`,
    'a session that is no token': 'not.a.token',
  }
}
