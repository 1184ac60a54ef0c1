// Shows the API reader on /docs/api. A separate file, since the content security policy forbids inline scripts.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
})

// Follows the theme that was chosen on the other pages of the documentation, or that of the system.
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => {
  const chosen = localStorage.getItem('starlight-theme')
  const isDark = chosen ? chosen === 'dark' : prefersDark.matches
  document.documentElement.classList.toggle('dark-mode', isDark)
}
applyTheme()
prefersDark.addEventListener('change', applyTheme)
