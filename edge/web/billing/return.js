// Names the order that the person comes back from; as text, for the address is anybody's to write.
const order = new URL(location.href).searchParams.get('order_id')
const line = document.getElementById('order')
if (order && line) {
  line.querySelector('code').textContent = order.slice(0, 64)
  line.hidden = false
}
