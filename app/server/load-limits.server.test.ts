import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { createLoadLimits } from "./load-limits.server";

/** A connection that knows whether it was closed. */
class Connection extends EventEmitter {
  destroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy() {
    this.destroyed = true;
    this.emit("close");
  }
}

function connect(limits: ReturnType<typeof createLoadLimits>, remoteAddress: string) {
  const connection = new Connection(remoteAddress);
  limits.onConnection(connection as unknown as Socket);
  return connection;
}

it("closes connections beyond those of a /48 network, whichever of its networks they come from", () => {
  const limits = createLoadLimits({ connectionsPerPeer: 2, connectionsPerSite: 3 });
  const first = connect(limits, "2001:db8:1:1::1");
  const open = ["2001:db8:1:2::1", "2001:db8:1:3::1"].map((address) => connect(limits, address));
  expect(connect(limits, "2001:db8:1:4::1").destroyed).toBe(true);
  expect(connect(limits, "2001:db8:2:1::1").destroyed).toBe(false);
  first.destroy();
  expect(connect(limits, "2001:db8:1:4::1").destroyed).toBe(false);
  expect(open.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});

it("gives the place of a peer's connection back when its network has too many", () => {
  const limits = createLoadLimits({ connectionsPerPeer: 1, connectionsPerSite: 1 });
  const first = connect(limits, "2001:db8:1:1::1");
  expect(connect(limits, "2001:db8:1:2::1").destroyed).toBe(true);
  first.destroy();
  expect(connect(limits, "2001:db8:1:2::1").destroyed).toBe(false);
});

it("tells IPv4 peers apart where the server listens to both families", () => {
  const limits = createLoadLimits({ connectionsPerPeer: 1 });
  expect(connect(limits, "::ffff:203.0.113.5").destroyed).toBe(false);
  expect(connect(limits, "::ffff:203.0.113.6").destroyed).toBe(false);
  expect(connect(limits, "::ffff:203.0.113.5").destroyed).toBe(true);
});
