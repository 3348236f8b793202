// A page that is opened as a file may start no worker, so the search works in a hidden frame there. The theme looks for
// this name, and then waits for scripts that a worker would have at once.
window.IFrameWorker = class extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    const inside = this.frame.contentWindow;
    const load = (source) =>
      new Promise((done) => {
        const script = inside.document.createElement("script");
        script.src = source;
        script.onload = done;
        inside.document.body.append(script);
      });
    inside.importScripts = async (...sources) => {
      for (const source of sources) await load(source);
    };
    inside.postMessage = (data) => {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    };
    this.ready = load(url);
  }

  postMessage(data) {
    const event = new MessageEvent("message", { data: structuredClone(data) });
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(event));
  }

  terminate() {
    this.frame.remove();
  }
};
if (location.protocol === "file:") window.Worker = window.IFrameWorker;
