import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

export interface Authority {
  /** CA certificate file for clients that should trust the authority. */
  file: string
  /** Issues a server certificate for this hostname only. */
  issue(host: string): Certificate
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-sha256']
const CA_EXTENSIONS = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign']

/** Creates a certificate authority for one test. Its files are in `folder`, and their names begin with its name. */
export function makeAuthority(folder: string, name: string): Authority {
  const path = (file: string) => join(folder, `${name}-${file}`)
  const [key, file] = [path('ca.key'), path('ca.crt')]
  // Uses a separate configuration, so the machine's openssl.cnf has no effect.
  writeFileSync(path('req.cnf'), '[req]\ndistinguished_name=name\n[name]\n')
  const request = ['req', '-config', path('req.cnf'), ...NEW_KEY]
  const extensions = CA_EXTENSIONS.flatMap((extension) => ['-addext', extension])
  const subject = ['-subj', `/CN=Authority ${name}`]
  runOpenssl([...request, '-x509', '-days', '2', ...subject, ...extensions, '-keyout', key, '-out', file])
  return {
    file,
    issue: (host) => {
      const [leafKey, csr, leaf] = [path(`${host}.key`), path(`${host}.csr`), path(`${host}.crt`)]
      writeFileSync(path(`${host}.cnf`), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`)
      runOpenssl([...request, '-new', '-subj', `/CN=${host}`, '-keyout', leafKey, '-out', csr])
      const signer = ['-CA', file, '-CAkey', key, '-set_serial', String(Date.now())]
      const content = ['-days', '2', '-sha256', '-extfile', path(`${host}.cnf`)]
      runOpenssl(['x509', '-req', '-in', csr, ...signer, ...content, '-out', leaf])
      return { key: readFileSync(leafKey, 'utf8'), cert: readFileSync(leaf, 'utf8') }
    },
  }
}

function runOpenssl(args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
