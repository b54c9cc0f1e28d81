// A tap means what lay under the finger when it came down.
//
// The server's answer may draw the buttons anew between press and release. A mouse's click would then be lost without
// a word, and a finger's would fall on whatever lies there now, another card perhaps. So a press whose button is gone
// is carried out as it was meant, and the browser's own click after it is not heard.

const STEADY = 20; // px that a finger may move in a tap

/** Looks after the presses on the buttons inside an element. */
export function keepPresses(element) {
  let pressed = null;
  let isDone = false;
  element.addEventListener('pointerdown', (event) => {
    isDone = false;
    pressed = { button: event.target.closest('button'), x: event.clientX, y: event.clientY };
  });
  addEventListener('pointercancel', () => (pressed = null));
  addEventListener('pointerup', (event) => {
    const press = pressed;
    pressed = null;
    if (!press?.button || press.button.isConnected) return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STEADY) return;
    isDone = true;
    press.button.click();
  });
  const hear = (event) => {
    if (!isDone || !event.detail) return; // a click without detail is the keyboard's
    isDone = false;
    event.stopPropagation();
    event.preventDefault();
  };
  element.addEventListener('click', hear, true);
}
