/** The licenses of the packages whose code is in the page. They are shown above it, when they are asked for. */
import { part } from "./parts.ts";

/** Connects the page's button with its dialog. */
export function offerNotices(button: HTMLElement, dialog: HTMLDialogElement): void {
  const text = document.createElement("pre");
  // Long text can be scrolled with the keyboard.
  text.tabIndex = 0;
  text.setAttribute("aria-label", "Licenses");
  text.role = "region";
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, text);
  button.addEventListener("click", () => {
    void part("notices").then((bytes) => {
      text.textContent = new TextDecoder().decode(bytes);
      dialog.showModal();
    });
  });
}
