import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildImage, IMAGE_FOLDER } from './buildah.ts'
import type { DebianMirror } from './debian-mirror.ts'

/** Bootstraps the Debian release, and builds an image of it that stands in for the base of the fleet's image. */
export function buildBase(name: string, release: string, { debian, security }: DebianMirror): void {
  const context = join(IMAGE_FOLDER, 'base')
  mkdirSync(context, { recursive: true })
  const sources = [
    `deb ${debian} ${release} main`,
    `deb ${debian} ${release}-updates main`,
    `deb ${security} ${release}-security main`,
  ]
  execFileSync('mmdebstrap', ['--variant=minbase', release, join(context, 'system.tar'), ...sources], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  copyFileSync(process.execPath, join(context, 'node'))
  cpSync(npmFolder(), join(context, 'npm'), { recursive: true })
  // The image reaches the registry of npm as this machine does.
  writeFileSync(
    join(context, 'npmrc'),
    `registry=${readNpmSetting('registry')}\ncafile=/usr/local/share/npm-certificates.pem\n`,
  )
  copyFileSync(certificatesFile(), join(context, 'certificates.pem'))
  buildImage(name, join(import.meta.dirname, 'base.Dockerfile'), context)
}

/** Returns the folder of the npm that runs this program. */
function npmFolder(): string {
  const { npm_execpath } = process.env
  if (npm_execpath === undefined) throw new Error('Start this program with `npm run test:image`.')
  return dirname(dirname(npm_execpath))
}

/** Returns the certificates that npm trusts: its own setting, or those of Debian. */
function certificatesFile(): string {
  const cafile = readNpmSetting('cafile')
  return cafile === 'null' ? '/etc/ssl/certs/ca-certificates.crt' : cafile
}

function readNpmSetting(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
}
