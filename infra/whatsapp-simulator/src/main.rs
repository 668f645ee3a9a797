//! Runs the simulator until it is stopped.

use anyhow::Context;
use clap::Parser;
use mostrador_whatsapp_simulator::{Settings, Simulator};

#[derive(Parser)]
#[command(about = "The other side of the WhatsApp Cloud API on this machine.")]
struct Arguments {
    /// 0 is any port that is free.
    #[arg(long, default_value_t = 8091)]
    port: u16,
    /// Where deliveries go.
    #[arg(long)]
    webhook: Option<String>,
    #[arg(
        long,
        env = "WHATSAPP_ACCESS_TOKEN",
        hide_env_values = true,
        default_value = "simulated-token"
    )]
    access_token: String,
    #[arg(
        long,
        env = "WHATSAPP_APP_SECRET",
        hide_env_values = true,
        default_value = "simulated-secret"
    )]
    app_secret: String,
    #[arg(long, default_value = "106540352242922")]
    phone_number_id: String,
    /// Seconds of its clock in one of this machine's.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let arguments = Arguments::parse();
    let simulator = Simulator::new(Settings {
        phone_number_id: arguments.phone_number_id,
        access_token: arguments.access_token.into(),
        app_secret: arguments.app_secret.into(),
        webhook_url: arguments.webhook,
        speed: arguments.speed,
        ..Settings::default()
    });
    let running = simulator
        .start(arguments.port)
        .await
        .context("the port is taken")?;
    tracing::info!(address = %running.address, "listening");
    tokio::signal::ctrl_c().await?;
    Ok(())
}
