import './shell/link-secret.ts'
import './design/base.css'
import './shell/reload.ts'
import './shell/theme.ts'
import { render } from 'preact'
import { App } from './app.tsx'
import { landing } from './routes.ts'
import { collectEarlyChanges } from './shell/early-changes.ts'

const root = document.getElementById('app')
// The content of a prerendered page stays until its script has loaded. Rendering uses its elements.
if (root?.hasChildNodes()) await landing.preload()
if (root !== null) {
  const repeatChanges = collectEarlyChanges(root)
  render(<App />, root)
  repeatChanges()
}
