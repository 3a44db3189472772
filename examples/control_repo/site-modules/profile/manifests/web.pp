# A web server with its sites.
class profile::web (
  String[1]                               $package,
  Hash[String[1], Profile::Site_settings] $sites,
) {
  package { $package:
    ensure => installed,
  }

  $sites.each |$name, $site| {
    profile::site { $name:
      *       => $site,
      require => Package[$package],
    }
  }

  service { $package:
    ensure    => running,
    enable    => true,
    subscribe => Package[$package],
  }

  Profile::Site <| |> ~> Service[$package]
}
