import './shell/link-secret.ts'
import './design/base.css'
import './shell/reload.ts'
import './shell/theme.ts'
import { render } from 'preact'
import { App } from './app.tsx'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
