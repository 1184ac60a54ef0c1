// Shows the order number as text, since anybody can write the URL.
const order = new URL(location.href).searchParams.get('order_id')
const line = document.getElementById('order')
if (order && line) {
  line.querySelector('code').textContent = order.slice(0, 64)
  line.hidden = false
}
